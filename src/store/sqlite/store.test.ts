import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Child } from "../../../test/support/child.ts";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { partition } from "../../model/partition.ts";
import { type Insert, insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { find, get, head } from "../read.ts";
import { sqliteLedger } from "./ledger.ts";

const folder = temporaryFolder();
const ann = partition({ userId: "ann" });
const ledgers: Ledger[] = [];
let path: string;

beforeEach(() => {
  path = folder.path("test.db");
});
afterEach(async () => {
  for (const ledger of ledgers.splice(0)) await ledger.close();
});

function open(at = path, busyTimeout = 60_000): Ledger {
  const ledger = sqliteLedger({ path: at, busyTimeout });
  ledgers.push(ledger);
  return ledger;
}

function named(id: string): Insert<"text"> {
  const note = { form: "note", content: id, provenance: "user_stated", statedAt: 0 } as const;
  return insert("text", note, { id });
}

function say(ledger: Ledger, content: string, signal?: AbortSignal): Promise<unknown> {
  const value = { sessionId: "s", role: "user", content, saidAt: 0 } as const;
  return ledger.append(
    ann,
    { operation: content.slice(0, 20), records: [insert("message", value)] },
    { signal },
  );
}

async function contents(ledger: Ledger): Promise<string[]> {
  const [page] = await ledger.read([ann], [find("message", { index: "bySession", prefix: ["s"] })]);
  return page.items.map(({ content }) => content);
}

/** Another process that has the write lock until it is released. */
async function holdLock(): Promise<Child> {
  const child = new Child(`
    import Database from ${JSON.stringify(import.meta.resolve("better-sqlite3"))};
    const db = new Database(${JSON.stringify(path)});
    db.exec("begin immediate");
    tell("locked");
    await stdinEnd();
    db.exec("rollback");`);
  expect(await child.next()).toBe("locked");
  return child;
}

test("the file and its folders are made at the first call, not before", async () => {
  const deep = join(dirname(path), "a/b/c.db");
  const ledger = open(deep);
  expect(existsSync(dirname(deep))).toBe(false);
  await say(ledger, "hello");
  expect(existsSync(deep)).toBe(true);
});

test("a leading ~/ is the home folder", async () => {
  const name = `.flux-memory-test-${process.pid}`;
  try {
    await say(open(`~/${name}/a.db`), "hello");
    expect(existsSync(join(homedir(), name, "a.db"))).toBe(true);
  } finally {
    rmSync(join(homedir(), name), { recursive: true, force: true });
  }
});

test("a database in memory works, is its own, and says what it can promise", async () => {
  const [one, two] = [open(":memory:"), open(":memory:")];
  await say(one, "hello");
  expect(await contents(one)).toEqual(["hello"]);
  expect(await contents(two)).toEqual([]);
  expect(await one.capabilities()).toMatchObject({ durability: "memory", shared: false });
  expect(await open().capabilities()).toMatchObject({ durability: "fsync", shared: true });
});

test("options that make no sense are refused at once", () => {
  expect(() => sqliteLedger({ path: 7 as never })).toThrow(TypeError);
  expect(() => sqliteLedger({ path: "" })).toThrow(expect.objectContaining({ code: "invalid_argument" }));
  expect(() => sqliteLedger({ path: "a\0b" })).toThrow(expect.objectContaining({ code: "invalid_argument" }));
  expect(() => sqliteLedger({ path, busyTimeout: Number.NaN })).toThrow(
    expect.objectContaining({ code: "invalid_argument" }),
  );
});

test("a path that cannot be opened is an error of the call, and the next call may succeed", async () => {
  const blocked = join(dirname(path), "file");
  writeFileSync(blocked, "not a folder");
  const ledger = open(join(blocked, "a.db"));
  await expect(say(ledger, "hello")).rejects.toMatchObject({ code: "unavailable", retryable: true });
  await expect(contents(ledger)).rejects.toMatchObject({ code: "unavailable" });
  rmSync(blocked);
  await say(ledger, "hello");
  expect(await contents(ledger)).toEqual(["hello"]);

  mkdirSync(path);
  const folderInstead = open();
  await expect(say(folderInstead, "hello")).rejects.toMatchObject({ code: "unavailable" });
  rmSync(path, { recursive: true });
  await say(folderInstead, "hello");
});

test("a file that is no database is refused and left alone, until it is one", async () => {
  writeFileSync(
    path,
    "This is a text, and long enough to be taken for the first page of something.".repeat(99),
  );
  const ledger = open();
  await expect(say(ledger, "hello")).rejects.toMatchObject({ code: "storage_corrupt", retryable: false });
  rmSync(path);
  await say(ledger, "hello");
  expect(await contents(ledger)).toEqual(["hello"]);
});

test("damage is reported as such, and a restored file is read again", async () => {
  const first = open();
  for (let i = 0; i < 20; i++) await say(first, `${i} ${"x".repeat(2000)}`);
  await first.close();
  const backup = `${path}.backup`;
  copyFileSync(path, backup);
  const db = new Database(path);
  const page = db.prepare(`select rootpage from sqlite_schema where name = 'message_by_session'`).pluck();
  const root = page.get() as number;
  db.close();
  const bytes = Buffer.alloc(4096, 0xff);
  const damaged = await import("node:fs/promises").then((fs) => fs.open(path, "r+"));
  await damaged.write(bytes, 0, bytes.length, (root - 1) * 4096);
  await damaged.close();

  const ledger = open();
  await expect(contents(ledger)).rejects.toMatchObject({ code: "storage_corrupt", retryable: false });
  await expect(say(ledger, "more")).rejects.toMatchObject({ code: "storage_corrupt" });
  copyFileSync(backup, path);
  expect(await contents(ledger)).toHaveLength(20);
  await say(ledger, "more");
});

test("a file that may only be read is read, and writing to it is refused", async () => {
  const writer = open();
  await say(writer, "hello");
  await writer.close();
  // Root may write to any file, so another user tries.
  chmodSync(dirname(dirname(path)), 0o755);
  chmodSync(dirname(path), 0o755);
  chmodSync(path, 0o444);
  // Without the right to make files in the folder, SQLite reads a database only if the two files beside it are there.
  for (const suffix of ["-wal", "-shm"]) writeFileSync(path + suffix, "", { mode: 0o444 });
  const program = `
    // Loads everything while this process may still read the project's folder.
    const loaded = sqliteLedger({ path: ":memory:" });
    await loaded.capabilities();
    await loaded.close();
    if (process.getuid() === 0) {
      process.setgid(65534);
      process.setuid(65534);
    }
    const ledger = sqliteLedger({ path: ${JSON.stringify(path)} });
    const ann = partition({ userId: "ann" });
    const failure = (call) => call.then(() => "none", ({ code }) => code);
    tell(await failure(ledger.append(ann, { operation: "o", records: [message("more")] })));
    const [page] = await ledger.read([ann], [find("message", { index: "bySession", prefix: ["s"] })]);
    tell(page.items.map(({ content }) => content));
    await ledger.close();`;
  expect(await new Child(program).rest()).toEqual(["storage_readonly", ["hello"]]);
});

test("a database in a folder that cannot be written to is told to be read-only, with what to do; a missing one is not", async () => {
  const writer = open();
  await say(writer, "hello");
  await writer.close();
  chmodSync(dirname(dirname(path)), 0o755);
  chmodSync(dirname(path), 0o555);
  const program = `
    const loaded = sqliteLedger({ path: ":memory:" });
    await loaded.capabilities();
    await loaded.close();
    if (process.getuid() === 0) {
      process.setgid(65534);
      process.setuid(65534);
    }
    for (const path of ${JSON.stringify([path, `${path}-none`])}) {
      const ledger = sqliteLedger({ path });
      const ann = partition({ userId: "ann" });
      const call = ledger.read([ann], [find("message", { index: "bySession", prefix: ["s"] })]);
      tell(await call.then(() => "none", ({ code, hint, retryable }) => [code, retryable, hint]));
      await ledger.close();
    }`;
  expect(await new Child(program).rest()).toEqual([
    ["storage_readonly", false, expect.stringContaining("read-only file system")],
    ["unavailable", true, expect.any(String)],
  ]);
  chmodSync(dirname(path), 0o755);
});

test("while another process holds the lock, calls wait and the event loop does not stand still", async () => {
  const ledger = open();
  await say(ledger, "first");
  const other = await holdLock();
  let settled = 0;
  const waiting = [say(ledger, "a"), say(ledger, "b")].map((call) => call.finally(() => settled++));
  // Reading needs no lock.
  expect(await contents(ledger)).toEqual(["first"]);
  // If it stood still, until they are answered, none of this would come before.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(settled).toBe(0);
  other.release();
  await Promise.all(waiting);
  expect(await contents(ledger)).toEqual(["first", "a", "b"]);
  await other.success();
});

test("a call that waits for longer than the time-out is busy, and may be repeated", async () => {
  const [ledger, patient] = [open(path, 150), open()];
  await say(ledger, "first");
  await say(patient, "second");
  const other = await holdLock();
  const start = performance.now();
  await expect(say(ledger, "a")).rejects.toMatchObject({ code: "busy", retryable: true });
  expect(performance.now() - start).toBeGreaterThanOrEqual(150);
  const abort = new AbortController();
  const aborted = say(patient, "b", abort.signal);
  setTimeout(() => abort.abort(new Error("enough")), 20);
  await expect(aborted).rejects.toThrow("enough");
  other.release();
  await other.success();
  await say(ledger, "a");
  expect(await contents(ledger)).toEqual(["first", "second", "a"]);
});

test("opening waits for a process that holds the lock of a database to be migrated", async () => {
  const other = await holdLock();
  const opened = say(open(), "hello");
  setTimeout(() => other.release(), 100);
  await opened;
  await other.success();
});

test("a snapshot is one moment, whatever other processes write meanwhile", async () => {
  const ledger = open();
  await say(ledger, "0");
  const other = new Child(`
    const ledger = sqliteLedger({ path: ${JSON.stringify(path)} });
    const ann = partition({ userId: "ann" });
    let stop = false;
    stdinEnd().then(() => { stop = true; });
    tell("started");
    for (let i = 1; !stop; i++) await ledger.append(ann, { operation: "o" + i, records: [message("x"), message("y")] });
    await ledger.close();`);
  await other.next();
  const { head } = await import("../read.ts");
  const query = find("message", { index: "bySession", prefix: ["s"], reverse: true, limit: 1 });
  let seen = 0;
  for (let i = 0; i < 300 || seen < 20; i++) {
    const [state, page, again] = await ledger.read([ann], [head(), query, head()]);
    expect(page.items[0]?.seq).toBe(state?.seq);
    expect(again).toEqual(state);
    seen = state?.seq ?? 0;
    if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  other.release();
  await other.success();
});

test("while the file is removed or renamed every call is refused, and no other file is made", async () => {
  const [path, aside] = [folder.path("gone.db"), folder.path("aside.db")];
  await using ledger = sqliteLedger({ path });
  await ledger.append(ann, { operation: "1", records: [named("a")] });
  for (const suffix of ["", "-wal"]) renameSync(path + suffix, aside + suffix);
  rmSync(`${path}-shm`);
  const refused = { code: "unavailable", retryable: true };
  for (const call of [
    // The first one finds it out.
    () => ledger.append(ann, { operation: "2", records: [named("b")] }),
    () => ledger.read([ann], [head()]),
    () => ledger.spaces.list(),
  ])
    await expect(call()).rejects.toMatchObject({ ...refused, hint: expect.stringContaining("Put it back") });
  expect(existsSync(path)).toBe(false);
  for (const suffix of ["", "-wal"]) renameSync(aside + suffix, path + suffix);
  await ledger.append(ann, { operation: "2", records: [named("b")] });
  expect((await ledger.read([ann], [head()]))[0]?.records).toBe(2);
});

test("what was removed is made anew once the ledger is opened again", async () => {
  const path = folder.path("reset.db");
  await using ledger = sqliteLedger({ path });
  await ledger.append(ann, { operation: "1", records: [named("a")] });
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  await using again = sqliteLedger({ path });
  await again.append(ann, { operation: "2", records: [named("b")] });
  // The first one, too, goes on with what is in its place.
  await expect(ledger.append(ann, { operation: "3", records: [named("c")] })).rejects.toMatchObject({
    code: "unavailable",
  });
  await ledger.append(ann, { operation: "3", records: [named("c")] });
  expect((await again.read([ann], [head()]))[0]?.records).toBe(2);
});

test("while the folder is removed or renamed nothing is written, and no other folder is made", async () => {
  const [before, after] = [folder.path("before"), folder.path("after")];
  await using ledger = sqliteLedger({ path: join(before, "moved.db") });
  await ledger.append(ann, { operation: "1", records: [named("a")] });
  renameSync(before, after);
  for (let call = 0; call < 3; call++)
    await expect(ledger.append(ann, { operation: "2", records: [named("b")] })).rejects.toMatchObject({
      code: "unavailable",
    });
  expect(existsSync(before)).toBe(false);
  renameSync(after, before);
  await ledger.append(ann, { operation: "2", records: [named("b")] });
  expect((await ledger.read([ann], [head()]))[0]?.records).toBe(2);
});

test("a read finds out within moments that the file was replaced, and the next call reads the new one", async () => {
  const path = folder.path("replaced.db");
  await using ledger = sqliteLedger({ path });
  await ledger.append(ann, { operation: "1", records: [named("old")] });
  const other = folder.path("other.db");
  await using writer = sqliteLedger({ path: other });
  await writer.append(ann, { operation: "1", records: [named("new")] });
  await writer.close();
  expect((await ledger.read([ann], [get("text", "old")]))[0]?.content).toBe("old");
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
  renameSync(other, path);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await expect(ledger.read([ann], [get("text", "old")])).rejects.toMatchObject({ code: "unavailable" });
  const [gone, there] = await ledger.read([ann], [get("text", "old"), get("text", "new")]);
  expect([gone?.content, there?.content]).toEqual([undefined, "new"]);
});

test("a database behind a symbolic link is cleaned and searched where it lies", async () => {
  const path = folder.path("real.db");
  const link = folder.path("link.db");
  await using first = sqliteLedger({ path });
  await first.capabilities();
  symlinkSync(path, link);
  await using ledger = sqliteLedger({ path: link });
  const records = [
    insert("text", { form: "note", content: "canary", provenance: "user_stated", statedAt: 0 }),
  ];
  const { ids } = await ledger.append(ann, { operation: "1", records });
  const { id, state } = await ledger.erase(ann, {
    operation: "2",
    refs: [{ kind: "text", id: ids[0] ?? "" }],
  });
  expect(state).toBe("physically_erased");
  expect((await ledger.verify(ann, id, { probes: ["canary"] })).probes).toEqual({ rows: 0, files: 0 });
});

test("a path with white space at its ends is refused, since another file would be opened", () => {
  expect(() => sqliteLedger({ path: "./x.db " })).toThrow(
    expect.objectContaining({ code: "invalid_argument" }),
  );
});
