import { expect, it } from "vitest";
import { connectFlux } from "../src/client.ts";
import { FluxError } from "../src/index.ts";
import { serveRest } from "../test/support/rest-service.ts";
import { fluxMemory, inProcess, type MemorySource, overRest } from "./recall-flux.ts";
import { runRecall } from "./recall-run.ts";
import { parseRecallSet } from "./recall-set.ts";

const set = parseRecallSet({
  name: "small",
  corpora: [
    {
      id: "one",
      docs: [
        {
          id: "a",
          session: "s1",
          date: "2024-05-04T18:00:00",
          speaker: "Tom",
          text: "My knee hurts since the climb.",
        },
        {
          id: "b",
          session: "s1",
          date: "2024-05-04T18:01:00",
          speaker: "Ann",
          text: "Did you see a doctor?",
        },
        {
          id: "c",
          session: "s2",
          date: "2024-06-11T09:00:00",
          speaker: "Tom",
          text: "The pottery class began.",
        },
      ],
    },
    {
      id: "two",
      docs: [{ id: "d", session: "s1", speaker: "user", text: "The knee of the table is loose." }],
    },
  ],
  queries: [
    { id: "q1", corpus: "one", category: "single", question: "Whose knee hurts?", evidence: ["a"] },
    { id: "q2", corpus: "one", category: "single", question: "Which class began?", evidence: ["c"] },
    { id: "q3", corpus: "two", category: "single", question: "What is loose?", evidence: ["d"] },
  ],
});

async function outcomes(source: MemorySource) {
  await using memory = fluxMemory(source);
  return (await runRecall(set, memory, new AbortController().signal)).outcomes;
}

it("finds the same through REST as in process, and leaves nothing behind", async () => {
  await using rest = await serveRest();
  const local = await outcomes(await inProcess({ store: "inmemory", embedder: false }));
  expect(local.map(({ scores }) => scores?.r5)).toEqual([1, 1, 1]);
  const remote = await overRest(rest.url);
  const scopes: Parameters<MemorySource["memoryOf"]>[0][] = [];
  const watched: MemorySource = {
    ...remote,
    memoryOf: (scope) => {
      scopes.push(scope);
      return remote.memoryOf(scope);
    },
  };
  expect(await outcomes(watched)).toEqual(local);
  await using client = connectFlux(rest.url);
  expect(new Set(scopes.map(({ userId }) => userId))).toEqual(new Set(["one", "two"]));
  for (const scope of scopes) expect((await client.for(scope).list()).items).toEqual([]);
});

it("waits when the service takes no more texts for now", async () => {
  const local = await inProcess({ store: "inmemory", embedder: false });
  let calls = 0;
  const limited: MemorySource = {
    ...local,
    memoryOf: (scope) => {
      const memory = local.memoryOf(scope);
      const store = memory.storeBatch.bind(memory);
      const storeBatch: typeof store = async (...args) => {
        calls += 1;
        if (calls > 1) return store(...args);
        const details = { retryAfter: 1 };
        throw new FluxError("rate_limited", "Later", { retryable: true, details });
      };
      return Object.assign(memory, { storeBatch });
    },
  };
  await using asked = fluxMemory(limited);
  await asked.add("one", set.corpora[0]?.turns ?? []);
  expect(calls).toBe(2);
});
