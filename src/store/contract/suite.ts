import type { LedgerOptions } from "../engine.ts";
import type { Ledger } from "../ledger.ts";
import type { ContractCase, LedgerContractOptions } from "./contract-case.ts";
import { Child, type Task } from "./processes.ts";

/** What a case gets: everything opened or started through it ends with the case. */
export interface Setup {
  /** Opens a new, empty store. */
  open(options?: LedgerOptions): Promise<Ledger>;
}

export interface DurableSetup extends Setup {
  /** Makes a new, empty store. */
  place(): Promise<string>;
  reopen(place: string, options?: LedgerOptions): Promise<Ledger>;
}

export interface SharedSetup extends DurableSetup {
  /** Starts another process that opens the store and waits for `go`. */
  start<I, R>(place: string, task: Task<I, R>, input: I): Promise<Child<R>>;
}

type Definition = { readonly name: string; readonly timeout?: number } & (
  | { readonly needs: "nothing"; readonly run: (setup: Setup) => Promise<void> }
  | { readonly needs: "durable"; readonly run: (setup: DurableSetup) => Promise<void> }
  | { readonly needs: "processes"; readonly run: (setup: SharedSetup) => Promise<void> }
);

export interface Group {
  readonly name: string;
  readonly cases: readonly Definition[];
}

export function group(name: string, cases: readonly Definition[]): Group {
  return { name, cases };
}

/** A case for every ledger. */
export function test(name: string, run: (setup: Setup) => Promise<void>, timeout?: number): Definition {
  return { name, needs: "nothing", run, ...(timeout === undefined ? {} : { timeout }) };
}

/** A case for ledgers whose store outlives them. */
export function durableTest(name: string, run: (setup: DurableSetup) => Promise<void>): Definition {
  return { name, needs: "durable", run };
}

/** A case for ledgers whose store several processes share. */
export function processTest(
  name: string,
  run: (setup: SharedSetup) => Promise<void>,
  timeout = 180_000,
): Definition {
  return { name, needs: "processes", run, timeout };
}

/** The cases of the groups that the adapter can be asked for. */
export function contractCases(groups: readonly Group[], options: LedgerContractOptions): ContractCase[] {
  const { place, reopen, module } = options;
  const durable = place !== undefined && reopen !== undefined;
  const offered = {
    nothing: true,
    durable,
    processes: durable && module !== undefined,
  };
  return groups.flatMap(({ name: group, cases }) =>
    cases
      .filter(({ needs }) => offered[needs])
      .map(({ name, run, timeout }) => ({
        group,
        name,
        run: () => isolated(options, run as (setup: SharedSetup) => Promise<void>),
        ...(timeout === undefined ? {} : { timeout }),
      })),
  );
}

async function isolated(
  { open, place, reopen, module }: LedgerContractOptions,
  run: (setup: SharedSetup) => Promise<void>,
): Promise<void> {
  const unavailable = (): never => {
    throw new TypeError("The contract's options do not offer this");
  };
  await using used = new AsyncDisposables();
  await run({
    open: async (options) => used.use(await open(options)),
    place: async () => (place ?? unavailable)(),
    reopen: async (name, options) => used.use(await (reopen ?? unavailable)(name, options)),
    start: async (name, task, input) =>
      used.use(await Child.start({ module: String(module ?? unavailable()), place: name, task, input })),
  });
}

/** AsyncDisposableStack is in Node from version 24 on only. */
class AsyncDisposables implements AsyncDisposable {
  readonly #used: AsyncDisposable[] = [];

  use<T extends AsyncDisposable>(resource: T): T {
    this.#used.push(resource);
    return resource;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const resource of this.#used.reverse()) await resource[Symbol.asyncDispose]();
  }
}
