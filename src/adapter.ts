/**
 * What an adapter for another store needs: the driver to implement, the tables to lay out, and the engine that makes a
 * ledger of them. `docs/adapters.md` has the recipe, and `flux-memory/testing` the suite to run.
 *
 * @module
 */

export type {
  CallOptions,
  Driver,
  FindRows,
  GrainSearch,
  Head,
  IndexRange,
  IndexValue,
  NewChange,
  Outcome,
  Reading,
  RowConditions,
  RowRead,
  RowWrite,
  SearchRead,
  SessionPoint,
  SnapshotOptions,
  TableRead,
  Transaction,
} from "./store/driver.ts";
export { createLedger, type LedgerOptions } from "./store/engine.ts";
export { matches, type Predicate, type Test } from "./store/filter.ts";
export { leadingTerms } from "./store/leading-terms.ts";
export type { Capabilities, JobCount } from "./store/ledger.ts";
export { recordTables, tables } from "./store/schema.ts";
export { declared, type IndexEntry, type NewSpace, type Space } from "./store/search.ts";
export { systemTables } from "./store/system-tables.ts";
export {
  type ColumnType,
  type Index,
  indexOrder,
  type RecordTable,
  type Row,
  type Table,
} from "./store/table.ts";
