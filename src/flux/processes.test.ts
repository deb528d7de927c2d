import { expect, test } from "vitest";
import { Child } from "../../test/support/child.ts";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { temporaryFolder } from "../../test/support/folder.ts";
import { partition } from "../model/partition.ts";
import { find } from "../store/read.ts";
import { sqliteLedger } from "../store/sqlite/ledger.ts";
import { Flux } from "./flux.ts";

const count = 40;
const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

onEveryStore(
  (store) => {
    test("processes that store the same texts, some of them killed and repeated, keep each once", async () => {
      const place = store.place();
      const adapter = place.startsWith("{") ? "postgres" : "sqlite";
      const program = (name: string) => `
        const { Flux } = await import(${source("./flux.ts")});
        const { open } = await import(${JSON.stringify(new URL(`../../test/support/${adapter}-store.ts`, import.meta.url).href)});
        const ledger = open(${JSON.stringify(place)});
        const flux = await Flux.open(ledger, { embedder: "hash" });
        const memory = flux.for({ userId: "alice" });
        for (let i = 0; i < ${count}; i++) {
          await memory.store("text number " + i + (i % 2 ? "." : ""), { operation: "${name}/" + i });
          tell(i);
        }
        await flux.close();
        await ledger.close();
      `;
      const names = ["a", "b", "c"];
      const children = names.map((name) => new Child(program(name)));
      for (const [i, child] of children.entries()) {
        if (i === 0) continue;
        for (let told = 0; told < i * 5; told++) await child.next();
        child.kill();
        await child.exit();
      }
      await children[0]?.rest();
      await Promise.all(names.slice(1).map((name) => new Child(program(name)).rest()));

      await using ledger = store.open(place);
      await using flux = await Flux.open(ledger);
      const alice = partition({ userId: "alice" });
      const [texts, grains] = await ledger.read(
        [alice],
        [find("text", { limit: 1000 }), find("grain", { limit: 1000 })],
      );
      expect(texts.items).toHaveLength(count);
      expect(grains.items.map(({ mentions }) => mentions)).toEqual(Array(count).fill(names.length - 1));
      expect((await flux.status()).spaces).toHaveLength(2);
      const { hits, degraded } = await flux.for({ userId: "alice" }).recall("text number 7");
      expect([hits[0]?.text, degraded]).toEqual(["text number 7.", undefined]);
    });
  },
  { shared: true },
);

const folder = temporaryFolder();

test("a SQLite ledger in a worker thread stores and finds the same", async () => {
  await using ledger = sqliteLedger({ path: folder.path("memory.db"), worker: true });
  await using flux = await Flux.open(ledger, { embedder: "hash" });
  const memory = flux.for({ userId: "alice" });
  const [first, second] = await memory.storeBatch([{ text: "I have a dog" }, { text: "i have a dog!" }]);
  expect([first?.status, second?.status]).toEqual(["stored", "mentioned"]);
  expect((await memory.recall("dogs")).hits[0]?.text).toBe("I have a dog");
  await flux.flush();
  expect((await memory.store("I have a dog", { provenance: "ai_stated" })).id).toBe(first?.id);
});
