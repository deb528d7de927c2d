import { FluxError } from "../model/errors.ts";
import { randomId } from "../model/ids.ts";
import type { Partition } from "../model/partition.ts";
import type { Space } from "../store/search.ts";
import { work } from "../store/work.ts";
import { allPartitions } from "./all-partitions.ts";
import { checkKnown, checkSignal } from "./check-options.ts";
import type { RebuildOptions, RebuildProgress } from "./flux.ts";
import { scanJob } from "./index-job.ts";
import { indexQueue } from "./index-queue.ts";
import type { FluxParts } from "./open-flux.ts";
import { names } from "./option-names.ts";
import { handlersOf, leaseFor } from "./work.ts";

/** Milliseconds between two looks for jobs that others do, or that wait to be tried again. */
const pause = 250;

/**
 * Makes spaces anew. A space that is to take another's place is declared first; from then on every commit knows of it, and
 * leaves a job where it could not make an entry. What was there before is walked through by a chain of jobs in each
 * partition. So all that is left to do is in the store: whoever comes next goes on with it.
 */
export async function rebuild(parts: FluxParts, options: RebuildOptions, stop: AbortSignal): Promise<void> {
  const { embedder, analyser, signal, onProgress } = checkKnown(options, names.rebuild);
  const ended = checkSignal(signal) === undefined ? stop : AbortSignal.any([signal as AbortSignal, stop]);
  ended.throwIfAborted();
  const { ledger, indexes } = parts;
  indexes.makers.add({ embedder, analyser });
  const targets = await declareTargets(parts, options);
  const run = randomId(parts.randomness);
  for (const target of targets) await enqueueWalks(parts, target, run, ended);
  // A partition that was begun by a commit under way during the first look is seen by the second.
  await indexes.refresh({ signal: ended });
  await finishWalks(parts, targets, ended, onProgress);
  for (const target of targets) await enqueueWalks(parts, target, run, ended);
  await finishWalks(parts, targets, ended, onProgress);
  for (const { id, kind, state } of targets) {
    if (state === "building") await ledger.spaces.activate(id, { signal: ended });
    await dropOthers(parts, kind, id);
  }
  await indexes.refresh();
}

/** The spaces to make: new ones for makers that are not in use, the present ones for others. */
async function declareTargets(
  { ledger, indexes }: FluxParts,
  { embedder, analyser }: RebuildOptions,
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
    const target = await ledger.spaces.declare(one);
    if (!indexes.makers.has(target)) {
      throw new FluxError("unavailable", "The analyser or embedder that made this index is not at hand", {
        hint: "Give it to Flux.open, or rebuild with another one.",
      });
    }
    // Begun and never ended: one is made at a time.
    await dropOthers({ ledger }, target.kind, target.id, "building");
    targets.push(target);
  }
  await indexes.refresh();
  return targets;
}

async function dropOthers(
  { ledger }: Pick<FluxParts, "ledger">,
  kind: Space["kind"],
  kept: number,
  state?: Space["state"],
): Promise<void> {
  for (const space of await ledger.spaces.list()) {
    if (space.kind !== kind || space.id === kept || space.state === "active") continue;
    if (state === undefined || space.state === state) await ledger.spaces.drop(space.id);
  }
}

/** One walk a partition: for a space that is built, whoever builds it; in place, one for each run. */
async function enqueueWalks(
  { ledger }: FluxParts,
  { id, state }: Space,
  run: string,
  signal: AbortSignal,
): Promise<void> {
  const name = state === "building" ? `rebuild/${id}` : `rebuild/${id}/${run}`;
  for await (const partition of allPartitions(ledger, signal)) {
    await ledger.append(partition, { operation: name, records: [], jobs: [scanJob(id)] }, { signal });
    await reviveDead({ ledger } as FluxParts, partition, id, signal);
  }
}

async function reviveDead(
  { ledger }: Pick<FluxParts, "ledger">,
  partition: Partition,
  space: number,
  signal: AbortSignal,
): Promise<void> {
  const { jobs } = await ledger.jobs.list(partition, { queue: indexQueue(space), dead: true, signal });
  for (const { id } of jobs) await ledger.jobs.revive(partition, id, { signal });
}

/** Works until no walk is left, whoever does it. */
async function finishWalks(
  parts: FluxParts,
  targets: readonly Space[],
  signal: AbortSignal,
  onProgress: ((progress: RebuildProgress) => void) | undefined,
): Promise<void> {
  const all = handlersOf(parts, signal);
  const queues = targets.map(({ id }) => indexQueue(id));
  const handlers = Object.fromEntries(Object.entries(all).filter(([queue]) => queues.includes(queue)));
  let failure: unknown;
  const onError = (error: unknown): void => {
    failure = error;
  };
  for (;;) {
    await work(parts.ledger, { handlers, once: true, leaseFor, signal, onError });
    signal.throwIfAborted();
    const { partitions, left, dead } = await countWalks(parts, queues, signal);
    onProgress?.({ partitions, done: partitions - left });
    if (dead > 0) {
      throw new FluxError("unavailable", "The index of some partitions could not be made", {
        hint: "See the cause; then rebuild again, which goes on where this one ended.",
        cause: failure,
      });
    }
    if (left === 0) return;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function countWalks(
  { ledger }: FluxParts,
  queues: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly partitions: number; readonly left: number; readonly dead: number }> {
  let partitions = 0;
  let left = 0;
  let dead = 0;
  for await (const partition of allPartitions(ledger, signal)) {
    partitions += 1;
    let waits = false;
    for (const queue of queues) {
      const isWalk = ({ payload }: { readonly payload?: unknown }): boolean => payload !== undefined;
      const waiting = await ledger.jobs.list(partition, { queue, limit: 1000, signal });
      const given = await ledger.jobs.list(partition, { queue, dead: true, limit: 1000, signal });
      waits ||= waiting.jobs.some(isWalk);
      dead += given.jobs.filter(isWalk).length;
    }
    if (waits) left += 1;
  }
  return { partitions, left, dead };
}
