import assert from "node:assert/strict";
import type { Partition } from "../../model/partition.ts";
import type { Stored } from "../../model/record.ts";
import type { Ledger } from "../ledger.ts";
import { derivedFrom, sourcesOf } from "../read.ts";
import type { Kind } from "../schema.ts";
import { recordTables } from "../schema.ts";
import { everything, headOf, kinds } from "./expectations.ts";

/**
 * What a record counts in its partition's account, from the record itself: UTF-8 bytes of ids, text and JSON, eight for a
 * number, one for a boolean.
 */
export function bytesOf(kind: Kind, record: Stored<unknown>): number {
  const { columns } = recordTables[kind];
  let bytes = 0;
  for (const [property, value] of Object.entries(record)) {
    if (columns[property]?.startsWith("json")) bytes += Buffer.byteLength(JSON.stringify(value));
    else if (typeof value === "string") bytes += Buffer.byteLength(value);
    else bytes += typeof value === "number" ? 8 : 1;
  }
  return bytes;
}

/** Whether records of the kind count in the account: all but what reading leaves behind. */
export function isCounted(kind: Kind): boolean {
  return kind !== "trace";
}

/**
 * What must hold of a partition at any time, whatever happened to it: the account is exact, everything that a record or job
 * rests on is there, and links are the same from both ends.
 *
 * Records that have expired but are not erased yet count, and cannot be seen: the caller sees to it that there are none.
 */
export async function assertInvariants(ledger: Ledger, user: Partition): Promise<void> {
  const all = await everything(ledger, user);
  const state = await headOf(ledger, user);
  const names = new Set<string>();
  let bytes = 0;
  let records = 0;
  let found = 0;
  for (const kind of kinds) {
    for (const record of all[kind] ?? []) {
      names.add(`${kind} ${record.id}`);
      found += 1;
      if (isCounted(kind)) {
        records += 1;
        bytes += bytesOf(kind, record);
      }
      assert.ok(record.seq <= record.updatedSeq && record.updatedSeq <= state.seq);
      assert.ok(record.recordedAt <= state.recordedAt);
    }
  }
  assert.equal(names.size, found, "a record was found twice");
  assert.deepEqual([state.records, state.bytes], [records, bytes], "the account is wrong");
  for (const { ownerKind, ownerId } of (all.grain ?? []) as unknown as readonly {
    ownerKind: string;
    ownerId: string;
  }[])
    assert.ok(names.has(`${ownerKind} ${ownerId}`), "a grain has no owner");
  for (const { fromId, toId } of (all.conduit ?? []) as unknown as readonly {
    fromId: string;
    toId: string;
  }[])
    for (const end of [fromId, toId]) assert.ok(names.has(`grain ${end}`), "a conduit has no end");
  const refs = [...names].map(
    (name) => [name.slice(0, name.indexOf(" ")) as Kind, name.slice(name.indexOf(" ") + 1)] as const,
  );
  const up = new Set<string>();
  const down = new Set<string>();
  // A few hundred reads at a time are one round trip.
  for (let at = 0; at < refs.length; at += 200) {
    const part = refs.slice(at, at + 200);
    const sources = await ledger.read(
      [user],
      part.map(([kind, id]) => sourcesOf(kind, id)),
    );
    const derived = await ledger.read(
      [user],
      part.map(([kind, id]) => derivedFrom(kind, id)),
    );
    part.forEach(([kind, id], i) => {
      for (const source of sources[i] ?? []) {
        assert.ok(names.has(`${source.kind} ${source.id}`), `a source of ${kind} ${id} is not there`);
        up.add(JSON.stringify([kind, id, source.kind, source.id, source.role]));
      }
      for (const link of derived[i] ?? []) {
        if (link.kind !== "job") down.add(JSON.stringify([link.kind, link.id, kind, id, link.role]));
      }
    });
  }
  assert.deepEqual(up, down, "links differ between their ends");
}
