import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/folder.ts";
import { partition } from "../model/partition.ts";
import { ManualClock } from "../store/contract/manual-clock.ts";
import { head } from "../store/read.ts";
import { FluxStore } from "./flux-store.ts";

const folder = temporaryFolder();
const nobody = partition({ userId: null });

/** The store is there and answers. */
const answers = async (store: FluxStore) => {
  await store.ledger.read([nobody], [head()]);
};

afterEach(() => vi.unstubAllEnvs());

test("a path is a SQLite file, opened at the first call, in folders that only their owner can read", async () => {
  const path = join(folder.path("a"), "b", "flux.db");
  await using store = new FluxStore(path);
  expect(store.path).toBe(path);
  expect(existsSync(dirname(path))).toBe(false);
  await answers(store);
  expect(existsSync(path)).toBe(true);
  for (const made of [dirname(path), dirname(dirname(path))]) expect(statSync(made).mode & 0o777).toBe(0o700);
});

test("a folder that is there keeps its mode", async () => {
  const path = join(folder.path("shared"), "flux.db");
  mkdirSync(dirname(path), { mode: 0o755 });
  await using store = new FluxStore(path);
  await answers(store);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o755);
});

test("~/ is the home folder, in paths and in URLs", async () => {
  const home = folder.path("home");
  vi.stubEnv("HOME", home);
  for (const place of ["~/.flux/mine/flux.db", "sqlite:~/.flux/mine/flux.db"]) {
    await using store = new FluxStore(place);
    expect(store.path).toBe(join(home, ".flux/mine/flux.db"));
    await answers(store);
  }
});

test("URLs name any store", async () => {
  for (const url of ["inmemory", "sqlite", "sqlite::memory:"]) {
    await using store = new FluxStore(url);
    expect(store.path).toBeUndefined();
    await answers(store);
  }
  expect(new FluxStore("postgres://localhost/x").path).toBeUndefined();
  expect(new FluxStore("C:\\flux.db").path).toBeDefined();
});

test("a store in a thread of its own has the clock that was given", async () => {
  const clock = new ManualClock();
  await using store = new FluxStore(folder.path("flux.db"), { clock, worker: true });
  expect(store.clock).toBe(clock);
  await answers(store);
});

test("what is no place for a store is refused at once, or when it is opened, without being repeated", async () => {
  for (const place of [
    "",
    " a",
    "a\0b",
    "sqlite:",
    "sqlite://a/b",
    "redis://secret@x",
    "mysql://secret@x",
    "postgres:x",
  ]) {
    try {
      new FluxStore(place);
      expect.unreachable(place);
    } catch (error) {
      expect((error as { code: string }).code).toMatch(/^invalid_(argument|url)$/);
      expect(String(error)).not.toContain("secret");
    }
  }
  for (const place of [undefined, null, 5, {}, []]) {
    expect(() => new FluxStore(place as never)).toThrow(TypeError);
  }
  expect(() => new FluxStore("inmemory", { worker: true })).toThrow(/SQLite/);
  expect(() => new FluxStore("inmemory", { workers: true } as never)).toThrow(/not known/);
  const file = folder.path("file");
  writeFileSync(file, "");
  await using store = new FluxStore(join(file, "folder", "flux.db"));
  await expect(answers(store)).rejects.toMatchObject({ code: "unavailable" });
});

test("a store that was closed stays closed, and closing it again is harmless", async () => {
  const store = new FluxStore(folder.path("flux.db"));
  await answers(store);
  await store.close();
  await store.close();
  await expect(answers(store)).rejects.toMatchObject({ code: "closed" });
  await new FluxStore(folder.path("never-opened.db")).close();
});
