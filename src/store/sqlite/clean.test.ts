import { execFileSync } from "node:child_process";
import Database from "better-sqlite3";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Child } from "../../../test/support/child.ts";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { partition } from "../../model/partition.ts";
import { type Insert, insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { find } from "../read.ts";
import { sqliteLedger } from "./ledger.ts";

const folder = temporaryFolder();
const ann = partition({ userId: "ann" });
let path: string;
let ledger: Ledger;

beforeEach(() => {
  path = folder.path("test.db");
  ledger = sqliteLedger({ path });
});
afterEach(() => ledger.close());

const message = (content: string, sessionId = "s"): Insert =>
  insert("message", { sessionId, role: "user", content, saidAt: 0 });

/**
 * Every different match in the files. Another process reads them: one that opens and closes a database file of its own
 * loses SQLite's locks on it.
 */
function grep(pattern: string): string[] {
  const command = `cat "$0" "$0"-* | LC_ALL=C grep -aoE "$1" | sort -u || true`;
  const output = execFileSync("sh", ["-c", command, path, pattern], { encoding: "latin1", maxBuffer: 1e9 });
  return output.split("\n").filter((line) => line !== "");
}

/** Another process that reads, and goes on seeing what it saw until it is released. */
async function holdSnapshot(): Promise<Child> {
  const child = new Child(`
    import Database from ${JSON.stringify(import.meta.resolve("better-sqlite3"))};
    const db = new Database(${JSON.stringify(path)});
    db.exec("begin");
    db.prepare("select count(*) from message").get();
    tell("reading");
    await stdinEnd();
    db.exec("commit");`);
  expect(await child.next()).toBe("reading");
  return child;
}

test("an erased text of 1 MB is gone from the files, its overflow pages and the log included", async () => {
  const words = Array.from({ length: 120_000 }, (_, i) => `erased${i.toString(36)}`).join(" ");
  await ledger.append(ann, { operation: "keep", records: [message("kept text")] });
  const { ids } = await ledger.append(ann, { operation: "big", records: [message(words)] });
  await ledger.append(ann, { operation: "keep too", records: [message("kept as well")] });
  expect(grep("erased[0-9a-z]+").length).toBeGreaterThan(100_000);
  const refs = [{ kind: "message", id: ids[0] as string }];
  const receipt = await ledger.erase(ann, { operation: "erase", refs });
  expect(receipt.state).toBe("physically_erased");
  expect(grep("erased[0-9a-z]+")).toEqual([]);
  expect(grep("kept [a-z ]+")).toEqual(["kept as well", "kept text"]);
  const report = await ledger.verify(ann, receipt.id, { probes: [words, "erased1", "kept text"] });
  expect(report).toMatchObject({ clean: true, probes: { rows: 1, files: 1 } });
});

test("a reader that holds the log delays the erasure of bytes, which maintenance takes up again", async () => {
  const { ids } = await ledger.append(ann, { operation: "o", records: [message("erased-text")] });
  const reader = await holdSnapshot();
  const refs = [{ kind: "message", id: ids[0] as string }];
  const receipt = await ledger.erase(ann, { operation: "erase", refs });
  expect(receipt.state).toBe("logically_erased");
  expect(grep("erased-text")).toEqual(["erased-text"]);
  expect(await ledger.maintain()).toMatchObject({ cleaned: 0, errors: [] });
  reader.release();
  await reader.success();
  expect(await ledger.maintain()).toMatchObject({ cleaned: 1, errors: [] });
  expect(grep("erased-text")).toEqual([]);
  expect(await ledger.erasure(ann, receipt.id)).toMatchObject({ state: "physically_erased" });
});

test("erasures at the same time are cleaned together", async () => {
  const batch = Array.from({ length: 20 }, (_, i) => message(`erased-${i}`, `s${i}`));
  await ledger.append(ann, { operation: "o", records: batch });
  const receipts = await Promise.all(
    batch.map((_, i) => ledger.erase(ann, { operation: `e${i}`, sessionId: `s${i}` })),
  );
  expect(new Set(receipts.map(({ state }) => state))).toEqual(new Set(["physically_erased"]));
  expect(grep("erased-[0-9]+")).toEqual([]);
});

test("an erasure that was counted as clean by a later one is not cleaned again", async () => {
  await ledger.append(ann, {
    operation: "o",
    records: [message("erased-1", "s1"), message("erased-2", "s2")],
  });
  const reader = await holdSnapshot();
  const first = await ledger.erase(ann, { operation: "e1", sessionId: "s1" });
  expect(first.state).toBe("logically_erased");
  reader.release();
  await reader.success();
  expect((await ledger.erase(ann, { operation: "e2", sessionId: "s2" })).state).toBe("physically_erased");
  // Nothing can be cleaned now, and nothing needs to be.
  const another = await holdSnapshot();
  await ledger.append(ann, { operation: "o2", records: [message("more")] });
  expect(await ledger.maintain()).toMatchObject({ cleaned: 1 });
  another.release();
  await another.success();
});

test("no bytes of erased records stay in the slack of pages that were rebuilt", async () => {
  const size = fc.constantFrom(5, 50, 300, 1500, 6000);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(size, fc.nat(9)), { minLength: 300, maxLength: 600 }),
      async (texts) => {
        await ledger.close();
        path = folder.path("test.db");
        ledger = sqliteLedger({ path });
        const words = texts.map((_, i) => `word${i}x`);
        const lives = texts.map(([, chance]) => chance < 3);
        // One session each, so that what is erased is scattered over pages and indexes.
        const records = texts.map(([length], i) =>
          message(`${words[i]} `.repeat(Math.ceil(length / 8)), `session-${words[i]}`),
        );
        for (let i = 0; i < records.length; i += 50)
          await ledger.append(ann, { operation: `o${i}`, records: records.slice(i, i + 50) });
        const found = await ledger.read([ann], [find("message", { limit: 1000 })]);
        const ids = new Map(found[0].items.map(({ id, sessionId }) => [sessionId, id]));
        const erased = words.filter((_, i) => !lives[i]);
        for (let i = 0; i < erased.length; i += 60) {
          const refs = erased
            .slice(i, i + 60)
            .map((word) => ({ kind: "message", id: ids.get(`session-${word}`) as string }));
          const receipt = await ledger.erase(ann, { operation: `e${i}`, refs });
          expect(receipt.state).toBe("physically_erased");
        }
        expect(grep("word[0-9]+x")).toEqual(words.filter((_, i) => lives[i]).sort());
        const db = new Database(path, { readonly: true });
        expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
        db.close();
        const left = await ledger.read([ann], [find("message", { limit: 1000 })]);
        expect(left[0].items).toHaveLength(words.length - erased.length);
      },
    ),
    { numRuns: 5, endOnFailure: true },
  );
});

test("pages that this or another process has in memory do not bring back what was overwritten", async () => {
  const records = Array.from({ length: 200 }, (_, i) => message(`word${i}x `.repeat(1 + (i % 40)), `s${i}`));
  const { ids } = await ledger.append(ann, { operation: "o", records });
  const other = new Child(`
    const ledger = sqliteLedger({ path: ${JSON.stringify(path)} });
    const ann = partition({ userId: "ann" });
    await ledger.read([ann], [find("message", { limit: 1000 }), find("message", { index: "bySession", limit: 1000 })]);
    tell("read");
    await stdinEnd();
    for (let i = 0; i < 100; i++) {
      await ledger.append(ann, { operation: "p" + i, records: [message("new", { sessionId: "s" + i, saidAt: i })] });
    }
    await ledger.close();`);
  await other.next();
  const refs = ids.filter((_, i) => i % 2 === 0).map((id) => ({ kind: "message", id }));
  expect((await ledger.erase(ann, { operation: "e", refs })).state).toBe("physically_erased");
  other.release();
  await other.success();
  const more = Array.from({ length: 100 }, (_, i) => message("newer", `s${i}`));
  await ledger.append(ann, { operation: "more", records: more });
  const kept = records.flatMap((_, i) => (i % 2 === 1 ? [`word${i}x`] : []));
  expect(grep("word[0-9]+x")).toEqual(kept.sort());
});

test("a database in memory has no files to search", async () => {
  const memory = sqliteLedger({ path: ":memory:" });
  await memory.append(ann, { operation: "o", records: [message("erased-text")] });
  const { id, state } = await memory.erase(ann, { operation: "e", everything: true });
  expect(state).toBe("physically_erased");
  expect(await memory.verify(ann, id, { probes: ["erased-text"] })).toMatchObject({
    clean: true,
    probes: { rows: 0, files: undefined },
  });
  await memory.close();
});
