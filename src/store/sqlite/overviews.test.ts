import { afterEach, beforeEach, expect, test } from "vitest";
import { partition } from "../../model/partition.ts";
import type { Head, RowWrite } from "../driver.ts";
import { noGrains } from "../grain-counts.ts";
import { recordTables } from "../schema.ts";
import { systemTables } from "../system-tables.ts";
import { Connection, inMemory } from "./connection.ts";
import { insertHead } from "./heads.ts";
import { countJobs, listExpired, listPartitions, listPendingErasures, listReadyLanes } from "./overviews.ts";
import { writeRows } from "./rows.ts";

let connection: Connection;
let statements: string[];

beforeEach(() => {
  connection = Connection.open(inMemory);
  statements = [];
  const statement = connection.statement.bind(connection);
  connection.statement = (text) => {
    statements.push(text);
    return statement(text);
  };
});
afterEach(() => connection.close());

/** Makes a partition with rows of its own. */
function fill(userId: string, writes: readonly RowWrite[]): void {
  const head: Head = {
    ...{ partition: partition({ userId }), seq: 0, generation: 0, salt: "", recordedAt: 0 },
    ...{ records: 0, bytes: 0, grains: noGrains, policy: {} },
  };
  writeRows(connection, insertHead(connection, head), writes);
}

function job(
  id: string,
  rest: { queue?: string; seq: number; readyAt: number; dead?: boolean; error?: string },
): RowWrite {
  const row = { id, queue: "q", dead: false, attempts: 0, maxAttempts: 1, generation: 0, ...rest };
  return { type: "insert", table: systemTables.job, row };
}

/** How SQLite runs the last statement. */
function plan(...values: unknown[]): string[] {
  const steps = connection.db.prepare(`explain query plan ${statements.at(-1)}`).all(...values);
  return (steps as { detail: string }[]).map(({ detail }) => detail);
}

const users = (found: readonly { readonly partition: { readonly userId: string | null } }[]): unknown[] =>
  found.map(({ partition }) => partition.userId);

test("lanes are ready when their first job is, and come in the order in which they became so", () => {
  fill("late", [job("a", { seq: 1, readyAt: 30 }), job("b", { seq: 2, readyAt: 1 })]);
  fill("waiting", [job("a", { seq: 1, readyAt: 99 }), job("b", { seq: 2, readyAt: 1 })]);
  fill("early", [job("a", { seq: 5, readyAt: 10 }), job("b", { seq: 9, readyAt: 99 })]);
  fill("dead", [job("a", { seq: 1, readyAt: 1, dead: true }), job("b", { seq: 2, readyAt: 20 })]);
  fill("only dead", [job("a", { seq: 1, readyAt: 1, dead: true })]);
  fill("two", [job("a", { seq: 1, readyAt: 5, queue: "r" }), job("b", { seq: 2, readyAt: 40 })]);
  const lanes = listReadyLanes(connection, ["q", "r", "q"], 50, 10);
  expect(lanes.map(({ partition, queue }) => `${partition.userId} ${queue}`)).toEqual([
    "two r",
    "early q",
    "dead q",
    "late q",
    "two q",
  ]);
  expect(users(listReadyLanes(connection, ["q"], 50, 2))).toEqual(["early", "dead"]);
  expect(listReadyLanes(connection, ["none"], 50, 2)).toEqual([]);
  const steps = plan("[]", 0, 1).filter((step) => step.includes(" job") || step.includes(" j "));
  expect(steps.length).toBeGreaterThan(2);
  for (const step of steps) expect(step).toMatch(/USING (COVERING )?INDEX job_(lanes|by_lane) \(/);
});

test("jobs are counted by queue, state and error along one index", () => {
  fill("ann", [job("a", { seq: 1, readyAt: 1 }), job("b", { seq: 2, readyAt: 1, queue: "r" })]);
  fill("bob", [
    job("a", { seq: 1, readyAt: 1 }),
    job("c", { seq: 3, readyAt: 1, dead: true, error: "timeout" }),
  ]);
  expect(countJobs(connection, ["q"])).toEqual([
    { queue: "q", dead: false, error: undefined, count: 2 },
    { queue: "q", dead: true, error: "timeout", count: 1 },
  ]);
  const steps = plan("[]").filter((step) => step.includes("job"));
  expect(steps).toEqual(["SEARCH job USING COVERING INDEX job_states (queue=?)"]);
});

test("expired records come from all partitions, the longest expired first", () => {
  const text = (id: string, expiresAt?: number): RowWrite => ({
    ...{ type: "insert", table: recordTables.text },
    row: {
      ...{ id, seq: 1, updatedSeq: 1, recordedAt: 0, bytes: 0, form: "note", content: "" },
      ...{ provenance: "user_stated", statedAt: 0, expiresAt },
    },
  });
  fill("ann", [text("a", 20), text("b"), text("c", 99)]);
  fill("bob", [text("a", 10), text("hidden", 0)]);
  const due = { after: 0, until: 50 };
  const found = listExpired(connection, recordTables.text, due, 10);
  expect(found.map(({ partition, id }) => `${partition.userId} ${id}`)).toEqual(["bob a", "ann a"]);
  expect(users(listExpired(connection, recordTables.text, due, 1))).toEqual(["bob"]);
  expect(plan(0, 50, 1)[0]).toMatch(/INDEX text_expiry \(expires_at>\? AND expires_at<\?\)/);
});

test("erasures that are not physical yet are found wherever they are", () => {
  const erasure = (id: string, physical: boolean): RowWrite => ({
    ...{ type: "insert", table: systemTables.erasure },
    row: { id, physical, everything: false, seq: 1, recordedAt: 0, counts: "{}", scope: "", mark: "" },
  });
  fill("ann", [erasure("a", true), erasure("b", false)]);
  fill("bob", [erasure("a", false)]);
  expect(users(listPendingErasures(connection, 10))).toEqual(["ann", "bob"]);
  expect(listPendingErasures(connection, 1)).toHaveLength(1);
  expect(plan(1)[0]).toContain("INDEX erasure_pending");
});

test("partitions come in the order of the bytes of their keys", () => {
  const names = ["b", "a", "\u{1f600}", "\uffff", "Z"];
  for (const name of names) fill(name, []);
  const list = (after: string | undefined, limit: number): unknown[] =>
    listPartitions(connection, after, limit).map(({ userId }) => userId);
  expect(list(undefined, 9)).toEqual(["Z", "a", "b", "\uffff", "\u{1f600}"]);
  expect(list(JSON.stringify(["default", "a"]), 2)).toEqual(["b", "\uffff"]);
});
