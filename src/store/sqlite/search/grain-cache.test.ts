import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { partition } from "../../../model/partition.ts";
import { insert, patch } from "../../batch.ts";
import { grain, named, note } from "../../contract/samples.ts";
import type { Ledger } from "../../ledger.ts";
import { definePlan } from "../../plan.ts";
import { match } from "../../read.ts";
import type { Row } from "../../table.ts";
import { sqliteLedger } from "../ledger.ts";
import { GrainCache } from "./grain-cache.ts";

const folder = mkdtempSync(join(tmpdir(), "flux-grains-"));
afterAll(() => rm(folder, { recursive: true }));

const user = partition({ userId: "u" });
const archive = definePlan({
  name: "archive",
  module: import.meta.url,
  reads: () => [],
  decide: (id: string) => ({ mutations: [patch("grain", id, { status: "archived" })], result: null }),
});

let files = 0;

async function openTwo(changeRetention?: number): Promise<{ ours: Ledger; theirs: Ledger; space: number }> {
  const path = join(folder, `${++files}.db`);
  const options = changeRetention === undefined ? {} : { changeRetention };
  const [ours, theirs] = [sqliteLedger({ path, ...options }), sqliteLedger({ path, ...options })];
  const { id: space } = await ours.spaces.declare({ kind: "lexical", maker: "test" });
  await ours.append(user, {
    operation: "store",
    records: ["a", "b"].flatMap((id) => [
      named(`t${id}`, note(id)),
      insert("grain", grain("text", `t${id}`), { id, index: [{ space, terms: ["tea", id] }] }),
    ]),
    spaces: [space],
  });
  return { ours, theirs, space };
}

async function states(ledger: Ledger, space: number): Promise<Record<string, string>> {
  const [{ candidates }] = await ledger.read([user], [match({ space, terms: ["tea"], limit: 10 })]);
  return Object.fromEntries(candidates.map(({ grain: { id, status } }) => [id, status]));
}

test("what another process changes or erases is seen by the next search", async () => {
  const { ours, theirs, space } = await openTwo();
  expect(await states(ours, space)).toEqual({ a: "active", b: "active" });
  await theirs.update(user, { operation: "archive", plan: archive, input: "a" });
  expect(await states(ours, space)).toEqual({ a: "archived", b: "active" });
  await theirs.erase(user, { operation: "erase", refs: [{ kind: "text", id: "tb" }] });
  expect(await states(ours, space)).toEqual({ a: "archived" });
  await theirs.erase(user, { operation: "erase all", everything: true });
  expect(await states(ours, space)).toEqual({});
  await Promise.all([ours.close(), theirs.close()]);
});

test("a change that the feed has forgotten already is seen all the same", async () => {
  const { ours, theirs, space } = await openTwo(0);
  expect(await states(ours, space)).toEqual({ a: "active", b: "active" });
  await theirs.update(user, { operation: "archive", plan: archive, input: "a" });
  expect((await theirs.maintain()).changes).toBeGreaterThan(0);
  expect(await states(ours, space)).toEqual({ a: "archived", b: "active" });
  await Promise.all([ours.close(), theirs.close()]);
});

test("only rows that are new or changed are read, and of those used longest ago none are kept beyond the limit", () => {
  const cache = new GrainCache(3000);
  const reads: string[][] = [];
  const rows = (partition: number, ids: readonly string[], changed: readonly string[] | "all" = []) =>
    cache
      .rows(partition, ids, {
        changes: () => ({ position: 1, changed }),
        read: (missing) => {
          reads.push([...missing]);
          return missing.filter((id) => id !== "gone").map((id): Row => ({ id, bytes: 400 }));
        },
      })
      .map((row) => row?.id);
  expect(rows(0, ["a", "gone", "b", "a", "gone"])).toEqual(["a", undefined, "b", "a", undefined]);
  expect(reads.splice(0)).toEqual([["a", "gone", "b"]]);
  cache.clear();
  expect(rows(1, ["a", "b"])).toEqual(["a", "b"]);
  rows(1, ["b", "a"]);
  rows(1, ["a", "b"], ["a"]);
  rows(1, ["a"], "all");
  expect(reads).toEqual([["a", "b"], ["a"], ["a"]]);
  rows(2, ["c", "d"]);
  rows(3, ["e"]);
  rows(1, ["a"]);
  expect(reads.slice(3)).toEqual([["c", "d"], ["e"], ["a"]]);
});
