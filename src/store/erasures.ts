import type { Ref } from "../model/record.ts";

/** What to erase: named records, every record of a session, or everything in the partition. */
export type ErasureScope =
  | {
      readonly refs: readonly Ref[];
      /**
       * What was asked for, where the refs are what was found of it: a retry is told by this, whatever it finds by then. Its digest
       * stays with the receipt, so it must not name what was said.
       */
      readonly request?: string | undefined;
    }
  | { readonly sessionId: string }
  | { readonly everything: true };

export interface ErasureReceipt {
  readonly id: string;
  /** Logically at the commit: no read finds it. Physically once the bytes are gone from the files that we own. */
  readonly state: "logically_erased" | "physically_erased";
  readonly recordedAt: number;
  readonly seq: number;
  /** How many rows went, by kind; kinds with none are left out. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface ErasureReport {
  /** True when no row of what was erased is left, and the bytes are gone from the files that we own. */
  readonly clean: boolean;
  readonly state: ErasureReceipt["state"];
  /** Rows that should not be there, by table. Empty unless something is wrong. */
  readonly leftovers: Readonly<Record<string, number>>;
  /**
   * Places that hold one of the probe texts: rows of the partition, and the adapter's files, which other partitions share
   * (undefined where there are none to read). Says nothing against the erasure where the same text was stored anew.
   */
  readonly probes: { readonly rows: number; readonly files: number | undefined } | undefined;
  /** Where copies may be that no program can vouch for. */
  readonly outside: readonly string[];
}

/** What to purge: named records, or every record of a session. */
export type PurgeScope = { readonly refs: readonly Ref[] } | { readonly sessionId: string };

export interface Purge {
  readonly id: string;
  /**
   * `open` while `undo` can take it back; `erased` once what it hid was erased: at its end, with this id for the receipt, or with
   * everything in the partition.
   */
  readonly state: "open" | "undone" | "erased";
  readonly recordedAt: number;
  readonly seq: number;
  /** When it ends, in milliseconds. */
  readonly until: number;
  /** How many records and jobs it hid, by kind; kinds with none are left out. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface UndoReceipt {
  /** Id of the purge. */
  readonly purge: string;
  readonly recordedAt: number;
  readonly seq: number;
  /** How many records and jobs came back, by kind; kinds with none are left out. */
  readonly counts: Readonly<Record<string, number>>;
}
