import { FluxError } from "../model/errors.ts";
import { base32, digest } from "../model/hash.ts";
import { checkId } from "../model/ids.ts";
import { canonicalJson } from "../model/json.ts";
import type { Ref } from "../model/record.ts";
import { unchanged } from "./commit.ts";
import type { Head, Outcome, Reading, RowRead, RowWrite, Transaction } from "./driver.ts";
import { ErasureWalk } from "./erasure-walk.ts";
import type { ErasureReceipt, ErasureScope } from "./erasures.ts";
import { recordTables } from "./schema.ts";
import { sealedMoment, systemTables } from "./system-tables.ts";
import { type Row, removal } from "./table.ts";
import { tableOf } from "./translate.ts";

/** The scope of an erasure that nobody asked for, and whose row is there for as long as its bytes are. */
const unasked = "";

interface WalkRequest {
  readonly key: string;
  readonly now: number;
}

interface EraseRequest extends WalkRequest {
  readonly scope: ErasureScope;
  /** A fresh salt for the partition's fingerprints. */
  readonly salt: string;
}

/**
 * Erases records with everything that follows from them, see `docs/decisions/0004-erasure-follows-ground.md`. Leaves markers
 * (ids only), and a receipt under the operation's key. Fingerprints and results of all earlier operations go with it, so that nothing is left
 * by which to tell what was erased: a retry of one has no second effect, but is answered with `compared: false` and no result.
 */
export function erase(request: EraseRequest): Transaction<ErasureReceipt> {
  return function* (head): Reading<Outcome<ErasureReceipt>> {
    const { key, scope } = request;
    const [[done] = [], [operation] = []] = yield [
      { type: "get", table: systemTables.erasure, key: [key] },
      { type: "get", table: systemTables.operation, key: [key] },
    ];
    const wanted = scopeDigest(scope);
    if (done?.scope === wanted) return unchanged(head, erasureReceipt(done));
    if (operation !== undefined) throw usedBefore("Nothing was erased.");
    const walk = new ErasureWalk(head, request);
    const everything = "everything" in scope;
    if (everything) yield* walk.everything();
    else {
      const refs = "refs" in scope ? scope.refs : yield* sessionRefs(scope.sessionId);
      yield* walk.from(refs);
      yield* walk.traces();
      yield* walk.seals();
    }
    const outcome = walk.finish();
    const row = erasureRow(key, outcome, { everything, scope: wanted });
    return {
      ...outcome,
      writes: [
        ...outcome.writes,
        { type: "insert", table: systemTables.erasure, row },
        { type: "insert", table: systemTables.operation, row: bareOperation(key, outcome.head) },
      ],
      value: erasureReceipt(row),
    };
  };
}

/**
 * Removes records that have expired, with what follows from them; how many rows went. Unlike an erasure it was announced
 * beforehand and happens in every round of maintenance, so what is remembered of operations stays as it is, and jobs stay
 * leased. No receipt, since nobody asked.
 */
export function expire(request: WalkRequest & { readonly refs: readonly Ref[] }): Transaction<number> {
  return function* (head): Reading<Outcome<number>> {
    const { refs, now, key } = request;
    // Another process may have been here first, or a patch may have moved the moment.
    const columns = ["id", "expiresAt"];
    const rows = yield refs.map(
      ({ kind, id }): RowRead => ({ type: "get", table: tableOf(kind), key: [id], columns }),
    );
    const due = refs.filter((_ref, i) => {
      const expiresAt = rows[i]?.[0]?.expiresAt as number | undefined;
      return expiresAt !== undefined && expiresAt > sealedMoment && expiresAt <= now;
    });
    if (due.length === 0) return unchanged(head, 0);
    const walk = new ErasureWalk(head, { key, now });
    yield* walk.from(due);
    yield* walk.seals();
    const outcome = walk.finish();
    const value = rowsOf(outcome);
    // Traces are telemetry, and nothing is derived from them: the next cleaning of the files is soon enough.
    if (due.every(({ kind }) => kind === recordTables.trace.name)) return { ...outcome, value };
    // So that its bytes are cleaned from the files as those of any erasure are.
    const row = erasureRow(key, outcome, { everything: false, scope: unasked });
    const writes: RowWrite[] = [...outcome.writes, { type: "insert", table: systemTables.erasure, row }];
    return { ...outcome, writes, value };
  };
}

/** Notes how far the cleaning of the files after an erasure has come. */
export function settle(
  id: string,
  state: { readonly physical: boolean; readonly mark: string },
): Transaction<void> {
  return function* (head): Reading<Outcome<void>> {
    const [[row] = []] = yield [{ type: "get", table: systemTables.erasure, key: [id] }];
    if (row === undefined || row.physical === true) return unchanged(head, undefined);
    const { erasure: table } = systemTables;
    const write: RowWrite =
      state.physical && row.scope === unasked
        ? removal(table, row)
        : { type: "replace", table, row: { ...row, ...state } };
    return { head, writes: [write], changes: [], value: undefined };
  };
}

export function usedBefore(what: string): FluxError {
  return new FluxError("operation_conflict", "This operation id was used before for something else", {
    hint: `${what} Give every operation an id of its own.`,
  });
}

/** Keeps an operation id from being used for something else. */
export function bareOperation(id: string, { seq, recordedAt, generation }: Head): Row {
  return { id, fingerprint: "", generation, seq, recordedAt, inserted: 0 };
}

/** How many rows went. */
export function rowsOf({ value }: Outcome<Readonly<Record<string, number>>>): number {
  return Object.values(value).reduce((sum, count) => sum + count, 0);
}

export function erasureRow(
  id: string,
  { head, value }: Outcome<Readonly<Record<string, number>>>,
  request: { readonly everything: boolean; readonly scope: string },
): Row {
  const { seq, recordedAt } = head;
  return { id, physical: false, ...request, seq, recordedAt, counts: JSON.stringify(value), mark: "" };
}

export function erasureReceipt(row: Row): ErasureReceipt {
  return {
    id: row.id as string,
    state: row.physical === true ? "physically_erased" : "logically_erased",
    recordedAt: row.recordedAt as number,
    seq: row.seq as number,
    counts: JSON.parse(row.counts as string),
  };
}

/** The same for the same scope, whatever the order of its refs. Made of no content, so that it may stay. */
export function scopeDigest(scope: ErasureScope): string {
  if (!("refs" in scope)) return base32(digest(canonicalJson(scope)));
  if (scope.request !== undefined) return base32(digest(JSON.stringify(["request", scope.request])));
  return base32(digest(JSON.stringify(scope.refs.map(canonicalJson).sort())));
}

export function* sessionRefs(sessionId: string): Reading<readonly Ref[]> {
  const prefix = [checkId(sessionId, "sessionId")];
  const labelled = Object.values(recordTables).filter((table) => "bySession" in table.indexes);
  const columns = ["id"];
  const found = yield labelled.map(
    (table): RowRead => ({ type: "find", table, index: "bySession", prefix, columns }),
  );
  return labelled.flatMap((table, i) =>
    (found[i] ?? []).map((row) => ({ kind: table.name, id: row.id as string })),
  );
}
