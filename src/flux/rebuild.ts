import type { Embedder } from "../embed/embedder.ts";
import { resolveEmbedder } from "../embed/resolve.ts";
import { checkFunction } from "../model/check-values.ts";
import { FluxError } from "../model/errors.ts";
import type { Ledger } from "../store/ledger.ts";
import type { Space } from "../store/search.ts";
import type { Analyser } from "../text/analyser.ts";
import { checkAnalyser, checkKnown, checkSignal } from "./check-options.ts";
import { eachPartition } from "./each-partition.ts";
import type { RebuildOptions } from "./flux.ts";
import { indexQueue, walkQueue } from "./index-queue.ts";
import type { FluxParts } from "./open-flux.ts";
import { names } from "./option-names.ts";
import { reviveDead, Walks } from "./walks.ts";

/**
 * Makes spaces anew. A space that is to take another's place is declared first; from then on every commit knows of it, and
 * leaves a job where it could not make an entry. What was there before is walked through by a chain of jobs in each
 * partition. So all that is left to do is in the store: whoever comes next goes on with it.
 */
export async function rebuild(parts: FluxParts, options: RebuildOptions, stop: AbortSignal): Promise<void> {
  const { embedder, analyser, signal, onProgress } = checkKnown(options, names.rebuild);
  checkSignal(signal);
  const ended = AbortSignal.any([signal, stop].filter((one) => one !== undefined));
  ended.throwIfAborted();
  checkAnalyser(analyser);
  checkFunction(onProgress, "onProgress");
  const { indexes } = parts;
  const chosen = embedder === undefined ? undefined : await resolveEmbedder(embedder);
  indexes.makers.add({ embedder: chosen, analyser });
  const targets = await declareTargets(parts, { embedder: chosen, analyser });
  const walks = new Walks(parts, targets, { signal: ended, onProgress });
  await walks.run();
  // A partition that was begun by a commit under way during the first look is seen by the second.
  await walks.run();
  for (const target of targets) {
    if (target.state === "building") await activate(parts, target, ended);
    // A later rebuild may have declared its own by now: that one takes the place of this one.
    await dropOthers(parts, target, ({ id, state }) => state === "retired" || id < target.id);
  }
  await indexes.refresh();
}

/** The spaces to make: new ones for makers that are not in use, the present ones for others. */
async function declareTargets(
  { ledger, indexes }: FluxParts,
  {
    embedder,
    analyser,
  }: { readonly embedder: Embedder | undefined; readonly analyser: Analyser | undefined },
): Promise<readonly Space[]> {
  await indexes.refresh();
  const wanted: { readonly kind: Space["kind"]; readonly maker: string; readonly dimensions?: number }[] = [];
  const { lexical, dense } = indexes.active();
  const both = embedder === undefined && analyser === undefined;
  if (analyser !== undefined || both) wanted.push({ kind: "lexical", maker: analyser?.id ?? lexical.maker });
  if (embedder !== undefined) {
    wanted.push({ kind: "dense", maker: embedder.id, dimensions: embedder.dimensions });
  } else if (both && dense !== undefined) {
    wanted.push({ kind: "dense", maker: dense.maker, dimensions: dense.dimensions });
  }
  const targets: Space[] = [];
  for (const one of wanted) {
    // Nobody is to search it before it is full, not even where there is no other one.
    const target = await ledger.spaces.declare({ ...one, state: "building" });
    if (target.dimensions !== (one.dimensions ?? 0)) {
      throw new FluxError(
        "dimension_mismatch",
        `The index of this embedder's id has vectors of ${target.dimensions} numbers, not of ${one.dimensions}`,
        { hint: "Vectors of other dimensions are made by another embedder: give it an id of its own." },
      );
    }
    if (!indexes.makers.has(target)) {
      throw new FluxError("invalid_argument", "What made this index is not at hand", {
        hint: "Name the embedder and the analyser to rebuild with, or open the store with those that are recorded.",
      });
    }
    // Begun and never ended: one is made at a time.
    await dropOthers({ ledger }, target, ({ state }) => state === "building");
    targets.push(target);
  }
  await indexes.refresh();
  return targets;
}

async function activate({ ledger }: FluxParts, { id }: Space, signal: AbortSignal): Promise<void> {
  try {
    await ledger.spaces.activate(id, { signal });
  } catch (error) {
    if (!FluxError.isInstance(error) || error.code !== "not_found") throw error;
    throw new FluxError("index_changed", "Another rebuild took the place of this one", { cause: error });
  }
}

/** Drops the spaces of the target's kind that are neither it nor active, if they are such. */
async function dropOthers(
  { ledger }: Pick<FluxParts, "ledger">,
  target: Space,
  such: (space: Space) => boolean,
): Promise<void> {
  for (const space of await ledger.spaces.list()) {
    if (space.kind !== target.kind || space.id === target.id || space.state === "active") continue;
    if (!such(space)) continue;
    await ledger.spaces.drop(space.id);
    await reviveJobs(ledger, space);
  }
}

/** What was given up for a space that is gone is an ordinary job again, so that `work` takes it away. */
async function reviveJobs(ledger: Ledger, { id }: Space): Promise<void> {
  const queues = [indexQueue(id), walkQueue(id)];
  if ((await ledger.jobs.count({ queues })).some(({ dead }) => dead))
    await eachPartition(ledger, (partition) => reviveDead(ledger, partition, queues));
}
