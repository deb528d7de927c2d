import fc from "fast-check";
import { expect, it } from "vitest";
import { factsIn, openWithModel } from "../../test/support/extraction.ts";
import { FluxError } from "../model/errors.ts";
import { ManualClock } from "../store/contract/manual-clock.ts";
import { deriveQueue } from "../store/derive-jobs.ts";
import type { Ledger } from "../store/ledger.ts";
import { inMemoryLedger } from "../store/memory/ledger.ts";
import { factsQueue } from "./extract-queue.ts";
import type { Flux } from "./flux.ts";
import type { FluxMemory } from "./flux-memory.ts";

const foods = ["sushi", "ramen", "figs"];
const cities = ["Rome", "Oslo", "Porto"];
const texts = [
  ...foods.flatMap((food) => [`I like ${food}.`, `I don't like ${food}.`]),
  ...cities.map((city) => `I live in ${city}.`),
  ...cities.map((city) => `I like ${foods[0]}, and I live in ${city}.`),
];

/** What is done to episodes, which have numbers for ids and for the order in which they happened. Who works may do so on one queue alone. */
type Step =
  | { readonly do: "say"; readonly id: number; readonly text: string }
  | { readonly do: "erase" | "purge" | "undo"; readonly id: number }
  | { readonly do: "work"; readonly id: number; readonly only?: string | undefined };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("say" as const), id: fc.nat(7), text: fc.constantFrom(...texts) }),
  },
  fc.record({ do: fc.constantFrom("erase" as const, "purge" as const, "undo" as const), id: fc.nat(7) }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("work" as const),
      id: fc.nat(1),
      only: fc.constantFrom(undefined, factsQueue, deriveQueue),
    }),
  },
);

/** A ledger that hands out jobs of one queue alone while it is told so: workers come to queues in any order. */
class OneQueueLedger {
  only: string | undefined;
  readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    const { jobs } = ledger;
    const claim: Ledger["jobs"]["claim"] = async ({ queues, ...options }) => {
      const some = queues.filter((queue) => this.only === undefined || queue === this.only);
      return some.length === 0 ? [] : jobs.claim({ queues: some, ...options });
    };
    this.ledger = overriding(ledger, { jobs: overriding(jobs, { claim }) });
  }
}

function overriding<T extends object>(target: T, others: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      if (name in others) return Reflect.get(others, name);
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function episode(id: number, input: string) {
  return { id: `e${id}`, input, output: "", occurredAt: 1000 * (id + 1) };
}

async function work(flux: Flux): Promise<void> {
  await flux.work({ once: true, only: "extraction" });
}

/** Those that are not there, or hidden, are not found. */
async function forgiving(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (FluxError.isInstance(error) && (error.code === "not_found" || error.code === "erased")) return false;
    throw error;
  }
}

async function knownFrom(said: ReadonlyMap<number, string>): Promise<readonly string[]> {
  const { flux, memory } = await openWithModel(false, { autoExtract: true, clock: new ManualClock(1e12) });
  for (const [id, input] of said) await memory.storeBatch([episode(id, input)]);
  await work(flux);
  return (await factsIn(memory)).sort();
}

async function expectKnown(steps: readonly Step[], together: boolean): Promise<void> {
  const clock = new ManualClock(1e12);
  const queues = new OneQueueLedger(inMemoryLedger({ clock }));
  const open = () => openWithModel(false, { autoExtract: true, ledger: queues.ledger, clock });
  const workers = [await open(), await open()];
  const memory = workers[0]?.memory as FluxMemory;
  const said = new Map<number, string>();
  const hidden = new Map<number, string>();
  const erased = new Set<number>();
  const running: Promise<void>[] = [];
  for (const one of steps) {
    const id = `e${one.id}`;
    if (one.do === "work") {
      const flux = workers[one.id]?.flux as Flux;
      if (together) running.push(work(flux));
      else {
        queues.only = one.only;
        await work(flux);
        queues.only = undefined;
      }
    } else if (one.do === "say") {
      if (erased.has(one.id) || hidden.has(one.id)) continue;
      await memory.storeBatch([episode(one.id, one.text)]);
      said.set(one.id, one.text);
    } else if (one.do === "undo") {
      const text = hidden.get(one.id);
      if (text === undefined) continue;
      expect(await forgiving(memory.undo(id))).toBe(true);
      hidden.delete(one.id);
      said.set(one.id, text);
    } else {
      const text = said.get(one.id);
      if (text === undefined) continue;
      await (one.do === "erase" ? memory.erase({ id }) : memory.purge(id));
      said.delete(one.id);
      if (one.do === "erase") erased.add(one.id);
      else hidden.set(one.id, text);
    }
  }
  await Promise.all(running);
  // Jobs whose lease an erasure ended are taken up again when it would have ended.
  for (let round = 0; round < 4; round++) {
    clock.advance(20_000);
    for (const { flux } of workers) await work(flux);
  }
  const { pending } = (await workers[0]?.flux.status())?.extraction ?? {};
  expect(pending).toEqual({ jobs: 0, dead: 0 });
  expect((await factsIn(memory)).sort()).toEqual(await knownFrom(said));
}

it("whatever is said, replaced, erased and brought back while several work, what is known follows from what is left", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), fc.boolean(), expectKnown),
    { numRuns: 25 },
  );
});

const say = (id: number, text: string): Step => ({ do: "say", id, text });
const workOnce: Step = { do: "work", id: 0 };

for (const [first, then] of [
  [factsQueue, deriveQueue],
  [deriveQueue, factsQueue],
]) {
  it(`what an episode said before it was replaced counts no more, also when ${first} are worked on before ${then}`, async () => {
    const steps: readonly Step[] = [
      ...[say(4, "I don't like figs."), say(0, "I don't like figs."), workOnce],
      say(4, "I like figs."),
      { do: "work", id: 0, only: first },
      { do: "work", id: 0, only: then },
    ];
    await expectKnown(steps, false);
  });

  it(`what only a hidden episode says is not known when what else said it is replaced, also when ${first} are worked on before ${then}`, async () => {
    const steps: readonly Step[] = [
      ...[say(0, "I live in Rome."), say(6, "I live in Rome."), workOnce, { do: "purge", id: 6 } as const],
      ...[say(0, "I like figs."), say(2, "I live in Oslo.")],
      { do: "work", id: 0, only: first },
      { do: "work", id: 0, only: then },
    ];
    await expectKnown(steps, false);
    await expectKnown([...steps, { do: "undo", id: 6 }], false);
  });
}

it("what an episode says that is hidden puts no end to what is said meanwhile", async () => {
  const steps: readonly Step[] = [
    ...[say(7, "I live in Oslo."), say(1, "I live in Oslo."), workOnce, { do: "purge", id: 7 } as const],
    ...[say(2, "I live in Porto."), workOnce],
  ];
  await expectKnown(steps, false);
  await expectKnown([...steps, { do: "undo", id: 7 }], false);
});
