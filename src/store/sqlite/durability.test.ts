import { execFile } from "node:child_process";
import { copyFile, readFile, stat, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { operations, user } from "../../../test/support/dying-operations.ts";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { assertInvariants } from "../contract/invariants.ts";
import { message, note } from "../contract/samples.ts";
import { find, get, head } from "../read.ts";
import { sqliteLedger } from "./ledger.ts";

const run = promisify(execFile);
const folder = temporaryFolder();
const writer = new URL("../../../test/support/dying-writer.ts", import.meta.url).pathname;

/** What the process acknowledged before it was killed, or all when it came to its end. */
async function writeUntil(path: string, statement: number): Promise<readonly string[]> {
  const { stdout } = await run(process.execPath, [writer, path, String(statement)]).catch((error) => {
    expect(error.signal, error.stderr).toBe("SIGKILL");
    return error as { stdout: string };
  });
  return stdout.split("\n").filter((line) => line !== "");
}

/** Kills a writer before its statement with this number, and checks what is left; what was acknowledged. */
async function killedBefore(statement: number, empty: string): Promise<readonly string[]> {
  const path = folder.path("killed.db");
  await copyFile(empty, path);
  const acknowledged = await writeUntil(path, statement);
  const ledger = sqliteLedger({ path });
  const [before, edgeBefore] = await ledger.read([user], [head(), get("conduit", "c")]);
  if (before !== undefined) await assertInvariants(ledger, user);
  if (acknowledged.includes("append")) expect(edgeBefore).toBeDefined();
  if (acknowledged.includes("update")) expect(edgeBefore?.useCount).toBe(1);
  // Whatever was half done or not done at all is done by repeating it, and what was done stays as it is.
  for (const repeat of Object.values(operations)) await repeat(ledger);
  const [state, edge, erased] = await ledger.read([user], [head(), get("conduit", "c"), get("message", "x")]);
  expect([state?.records, edge?.useCount, erased]).toEqual([4, 1, undefined]);
  await assertInvariants(ledger, user);
  expect((await ledger.jobs.list(user, { queue: "q" })).jobs).toHaveLength(1);
  await ledger.close();
  return acknowledged;
}

test("a process killed before any statement loses nothing that it acknowledged, and does nothing twice", async () => {
  const empty = folder.path("empty.db");
  const ledger = sqliteLedger({ path: empty });
  await ledger.capabilities();
  await ledger.close();
  const stages = new Set<number>();
  let next = 1;
  const killer = async (): Promise<void> => {
    for (let ended = false; !ended; ) {
      const acknowledged = await killedBefore(next++, empty);
      stages.add(acknowledged.length);
      ended = acknowledged.includes("end");
    }
  };
  await Promise.all([killer(), killer()]);
  // Before the first operation was acknowledged, between all of them, and not at all.
  expect(stages).toEqual(new Set([0, 1, 2, Object.keys(operations).length + 1]));
}, 300_000);

test("a log cut off anywhere opens to the commits before the cut, each of them whole", async () => {
  const path = folder.path("cut.db");
  const ledger = sqliteLedger({ path });
  await ledger.capabilities();
  const commits = 40;
  for (let i = 0; i < commits; i++) {
    await ledger.append(user, { operation: `o${i}`, records: [message(`m${i}`), note(`n${i}`)] });
  }
  // The log still holds every commit, since nobody has closed the database.
  const { size } = await stat(`${path}-wal`);
  const log = await readFile(`${path}-wal`);
  const found = new Set<number>();
  for (let cut = 0; cut < 40; cut++) {
    const copy = folder.path("copy.db");
    await copyFile(path, copy);
    // In the middle of frames as well as at their ends.
    await writeFile(`${copy}-wal`, log.subarray(0, Math.floor((size * cut) / 39) - (cut % 3) * 7));
    const reopened = sqliteLedger({ path: copy });
    const [messages, state] = await reopened.read(
      [user],
      [find("message", { index: "bySession", prefix: ["session"] }), head()],
    );
    const contents = messages.items.map(({ content }) => content);
    found.add(contents.length);
    expect(contents).toEqual(Array.from({ length: contents.length }, (_, i) => `m${i}`));
    expect(state?.records ?? 0).toBe(2 * contents.length);
    if (state !== undefined) await assertInvariants(reopened, user);
    const { changes } = await reopened.changes.read();
    expect(changes).toHaveLength(2 * contents.length);
    // Repeating everything adds what was cut off, once.
    for (let i = 0; i < commits; i++) {
      const { replayed } = await reopened.append(user, {
        operation: `o${i}`,
        records: [message(`m${i}`), note(`n${i}`)],
      });
      expect(replayed).toBe(i < contents.length);
    }
    await reopened.close();
  }
  expect(found.size).toBeGreaterThan(10);
  await ledger.close();
});
