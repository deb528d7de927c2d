import { expect, test } from "vitest";
import { Child } from "../../test/support/child.ts";
import { factsIn, workOnce } from "../../test/support/extraction.ts";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { temporaryFolder } from "../../test/support/folder.ts";
import { ScriptedModel } from "../../test/support/scripted-model.ts";
import { sqliteLedger } from "../store/sqlite/ledger.ts";
import { Flux } from "./flux.ts";

const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

onEveryStore(
  (store) => {
    test("a process that is killed before its commit leaves its texts to others, without what is erased by then", async () => {
      const place = store.place();
      const adapter = place.startsWith("{") ? "postgres" : "sqlite";
      const child = new Child(`
        const { Flux } = await import(${source("./flux.ts")});
        const { open } = await import(${source(`../../test/support/${adapter}-store.ts`)});
        const ledger = open(${JSON.stringify(place)});
        // Has read its texts, and never gets to commit what it found.
        const reading = new Proxy(ledger, {
          get(target, name) {
            const value = Reflect.get(target, name);
            if (typeof value !== "function") return value;
            return (...call) => {
              if (name !== "update" || call[1].job === undefined) return value.apply(target, call);
              tell("read");
              return new Promise(() => undefined);
            };
          },
        });
        const flux = await Flux.open(reading, { embedder: "hash", autoExtract: true });
        const items = ["I live in Porto.", "I work at Acme."].map((text) => ({ text }));
        tell((await flux.for({ userId: "anna" }).storeBatch(items)).map(({ id }) => id));
        await flux.work({ once: true });
      `);
      const [porto = ""] = (await child.next<string[]>()) ?? [];
      expect(await child.next()).toBe("read");
      child.kill();
      await child.exit();

      // When the lease of the other process has ended.
      const clock = { now: () => Date.now() + 30_000 };
      await using ledger = store.open(place, { clock });
      await using flux = await Flux.open(ledger, { clock });
      const memory = flux.for({ userId: "anna" });
      await memory.erase({ id: porto });
      expect(await workOnce(flux)).toEqual([]);
      expect(await workOnce(flux)).toEqual([]);
      expect(await factsIn(memory)).toEqual(["user works_at Acme"]);
      expect((await flux.status()).extraction.pending).toEqual({ jobs: 0, dead: 0 });
    });
  },
  { shared: true },
);

const folder = temporaryFolder();

test("what is derived is decided in a worker thread as anywhere", async () => {
  await using ledger = sqliteLedger({ path: folder.path("memory.db"), worker: true });
  const languageModel = new ScriptedModel(() => [{ text: "The user's favourite colour is teal.", from: 2 }]);
  await using flux = await Flux.open(ledger, { embedder: "hash", languageModel });
  const memory = flux.for({ userId: "anna" });
  await memory.storeBatch([
    { text: "I live in Rome.", statedAt: 0 },
    { text: "I live in Porto, and teal is my favourite colour.", statedAt: 1 },
  ]);
  expect(await workOnce(flux)).toEqual([]);
  expect(await factsIn(memory)).toContain("user lives_in Porto");
  expect(await factsIn(memory)).not.toContain("user lives_in Rome");
  expect((await memory.recall("favourite colour")).hits.map(({ provenance }) => provenance)).toContain(
    "ai_inferred",
  );
});
