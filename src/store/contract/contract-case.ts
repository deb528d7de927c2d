import type { LedgerOptions } from "../engine.ts";
import type { Ledger } from "../ledger.ts";

/** One case of a contract suite, to be registered in whatever runs the tests. */
export interface ContractCase {
  /** What the case is about. */
  readonly group: string;
  /** The behaviour that it shows; unique within the group. */
  readonly name: string;
  /** Rejects when the adapter does not behave so. */
  run(): Promise<void>;
  /** Milliseconds that the case may take on a slow machine. Default: what the runner allows. */
  readonly timeout?: number;
}

/** How the suite reaches the adapter under test. */
export interface LedgerContractOptions {
  /** Opens a new, empty store. The suite closes it. Options are to be handed on to `createLedger`. */
  open(options?: LedgerOptions): Promise<Ledger> | Ledger;
  /** For stores that outlive their ledger: makes a new, empty store and returns a name for it. */
  place?(): Promise<string> | string;
  /** Opens the store of that name, any number of times at once; needed with `place`. */
  reopen?(place: string, options?: LedgerOptions): Promise<Ledger> | Ledger;
  /**
   * For stores that several processes share: URL of a module that exports `open(place, options)`, which does what `reopen`
   * does. Other processes import it, so it must not import the test runner.
   */
  readonly module?: string | URL;
}
