import { onTestFinished } from "vitest";
import { extractQueue } from "../../src/flux/extract-queue.ts";
import { Flux, type FluxOptions } from "../../src/flux/flux.ts";
import type { FluxMemory } from "../../src/flux/flux-memory.ts";
import { partition } from "../../src/model/partition.ts";
import type { Ledger } from "../../src/store/ledger.ts";
import { inMemoryLedger } from "../../src/store/memory/ledger.ts";
import { find } from "../../src/store/read.ts";
import { ScriptedModel } from "./scripted-model.ts";

/** Whose memory `openWithModel` opens. */
export const anna = partition({ userId: "anna" });

/** A memory with a language model, in memory unless a ledger is given. Closed when the test has finished. */
export async function openWithModel(
  languageModel: FluxOptions["languageModel"],
  { ledger: given, ...options }: FluxOptions & { readonly ledger?: Ledger } = {},
): Promise<{ readonly flux: Flux; readonly memory: FluxMemory; readonly ledger: Ledger }> {
  const ledger = given ?? inMemoryLedger({ clock: options.clock });
  const flux = await Flux.open(ledger, { embedder: "hash", languageModel, ...options });
  onTestFinished(() => flux.close());
  return { flux, ledger, memory: flux.for({ userId: "anna" }) };
}

/** A model that derives "The user likes …" from each text that says "I like …". */
export function likingModel(): ScriptedModel {
  return new ScriptedModel((texts) =>
    texts.map(({ number, text }) => ({ from: number, text: text.replace("I like", "The user likes") })),
  );
}

export async function statementsIn(ledger: Ledger): Promise<string[]> {
  const [page] = await ledger.read([anna], [find("text", { index: "byForm", prefix: ["statement"] })]);
  return page.items.map(({ content }) => content);
}

/** Jobs that derive statements. */
export async function pendingIn(ledger: Ledger): Promise<number> {
  const counts = await ledger.jobs.count({ queues: [extractQueue] });
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** Runs what there is to do, and returns what failed. */
export async function workOnce(flux: Flux): Promise<unknown[]> {
  const errors: unknown[] = [];
  await flux.work({ once: true, onError: (error) => errors.push(error) });
  return errors;
}

/** Facts that are known now: subject, predicate and object, with "not" before a denial. */
export async function factsIn(memory: FluxMemory): Promise<string[]> {
  const { items } = await memory.facts.query({ order: "oldest" });
  return items.map(
    ({ subject, predicate, object, affirmed }) =>
      `${affirmed ? "" : "not "}${subject} ${predicate} ${object}`,
  );
}
