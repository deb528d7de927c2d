import { setImmediate } from "node:timers/promises";
import type { RecallTimings } from "../src/recall/result.ts";
import { usedHeap } from "./ledgers.ts";
import { inRounds, percentile, ratios, type Summary, summarize } from "./measure.ts";
import type { Result } from "./report.ts";
import type { SpeedContender, SpeedPair, SpeedSettings, SpeedStore } from "./speed-store.ts";
import { speedQuestion, speedText } from "./speed-texts.ts";

/** Texts that are added at once while a store is filled. */
const batch = 100;
/** Before the first round, until code is compiled and caches are warm, as in a service that has run for a minute. */
const warmUp = 500;
const percents = [50, 95] as const;

/** How long a question takes as one partition grows, what that costs in memory and on the disk, and where the time goes. */
export async function measureGrowth(
  { own, peer }: SpeedPair,
  settings: SpeedSettings,
): Promise<readonly Result[]> {
  const before = usedMemory();
  await using ours = await own.open();
  await using theirs = await peer.open();
  const results: Result[] = [];
  let filled = 0;
  for (const texts of settings.growth) {
    const [mine, due] = [
      await fill(ours, filled, texts, settings),
      await fill(theirs, filled, texts, settings),
    ];
    filled = texts;
    const size = texts.toLocaleString("en");
    const line = { store: own.name, case: `${size} texts` };
    results.push({
      ...line,
      measure: "fill",
      unit: "texts/s",
      figures: summarize([mine]),
      peer: { store: peer.name, figures: summarize([due]) },
      ratio: summarize([mine / due]),
    });
    const ask = (round: number, i: number) => ["user-0", pick(texts, round, i)] as const;
    results.push(...(await asked(`${size} texts`, { own, ours, peer, theirs }, ask, settings)));
    results.push({
      ...line,
      measure: "memory",
      case: `${size} texts, objects and buffers`,
      unit: "MB",
      figures: summarize([(usedMemory() - before) / 2 ** 20]),
    });
    results.push({
      ...line,
      measure: "memory",
      case: `${size} texts, whole process`,
      unit: "MB",
      figures: summarize([process.memoryUsage.rss() / 2 ** 20]),
    });
    results.push(...(await weighed(texts, { own, ours, peer, theirs })));
  }
  return results;
}

/** How long a question takes among many partitions, each time in another one. */
export async function measurePartitions(
  { own, peer }: SpeedPair,
  settings: SpeedSettings,
): Promise<readonly Result[]> {
  const { count, texts } = settings.partitions;
  await using ours = await own.open();
  await using theirs = await peer.open();
  for (const store of [ours, theirs]) {
    for (let user = 0; user < count; user++) {
      settings.signal.throwIfAborted();
      const first = user * texts;
      await store.add(
        `user-${user}`,
        Array.from({ length: texts }, (_, i) => speedText(first + i)),
      );
    }
  }
  const name = `${count.toLocaleString("en")} partitions of ${texts}`;
  const ask = (round: number, i: number) => {
    const number = pick(count * texts, round, i);
    return [`user-${Math.floor(number / texts)}`, number] as const;
  };
  return await asked(name, { own, ours, peer, theirs }, ask, settings);
}

/** Bytes of objects that are in use, and of buffers outside the heap, such as vectors. */
function usedMemory(): number {
  return usedHeap() + process.memoryUsage().external;
}

interface Opened {
  readonly own: SpeedContender;
  readonly ours: SpeedStore;
  readonly peer: SpeedContender;
  readonly theirs: SpeedStore;
}

/** Texts a second, from those that are there up to so many. */
async function fill(store: SpeedStore, from: number, to: number, { signal }: SpeedSettings): Promise<number> {
  const start = performance.now();
  for (let first = from; first < to; first += batch) {
    signal.throwIfAborted();
    await store.add(
      "user-0",
      Array.from({ length: Math.min(batch, to - first) }, (_, i) => speedText(first + i)),
    );
  }
  return ((to - from) * 1000) / (performance.now() - start);
}

/** Another text for each question, all over the store. */
function pick(texts: number, round: number, i: number): number {
  return ((round * 1009 + i) * 7919) % texts;
}

interface Round {
  /** Milliseconds, in rising order. */
  readonly times: readonly number[];
  /** Microseconds of processor time a question, of all threads of this process. */
  readonly cpu: number;
  readonly timings: readonly RecallTimings[];
}

/** The percentiles of asking, and the stages of ours. */
async function asked(
  name: string,
  { own, ours, peer, theirs }: Opened,
  ask: (round: number, i: number) => readonly [user: string, text: number],
  { rounds, questions, signal }: SpeedSettings,
): Promise<Result[]> {
  const participants = [
    { name: own.name, store: ours },
    { name: peer.name, store: theirs },
  ].map(({ name, store }) => {
    let round = 0;
    const run = (): Promise<Round> => askAll(store, questions, (i) => ask(round, i)).finally(() => round++);
    return { name, store, run };
  });
  for (const { store } of participants) await askAll(store, warmUp, (i) => ask(rounds, i));
  const found = await inRounds(participants, rounds, signal);
  const [mine = [], due = []] = participants.map(({ name }) => found.get(name) ?? []);
  const results: Result[] = percents.map((percent) => {
    const [times, peerTimes] = [mine, due].map((all) => all.map(({ times }) => percentile(times, percent)));
    return {
      measure: "recall",
      case: `${name}, p${percent}`,
      store: own.name,
      unit: "ms",
      figures: summarize(times ?? []),
      // Other processes make a question take more of the processor, never less.
      cpu: Math.min(...mine.map(({ cpu }) => cpu)),
      peer: {
        ...{ store: peer.name, figures: summarize(peerTimes ?? []) },
        cpu: Math.min(...due.map(({ cpu }) => cpu)),
      },
      // The other way round than rates: half the time is twice as good.
      ratio: ratios(peerTimes ?? [], times ?? []),
    };
  });
  for (const [stage, figures] of stagesOf(mine))
    results.push({ measure: "stages", case: `${name}, ${stage}`, store: own.name, unit: "ms", figures });
  return results;
}

async function askAll(
  store: SpeedStore,
  questions: number,
  ask: (i: number) => readonly [user: string, text: number],
): Promise<Round> {
  const times: number[] = [];
  const timings: RecallTimings[] = [];
  const before = process.cpuUsage();
  for (let i = 0; i < questions; i++) {
    const [user, number] = ask(i);
    const question = speedQuestion(number, i);
    // As between two requests: what waits for the event loop, such as writing traces, has its turn, and is not timed.
    await setImmediate();
    const start = performance.now();
    const recalled = await store.recall(user, question);
    times.push(performance.now() - start);
    if (recalled.found.length === 0) throw new Error(`Nothing was found for "${question}"`);
    if (recalled.timings !== undefined) timings.push(recalled.timings);
  }
  const { user, system } = process.cpuUsage(before);
  return { times: times.sort((a, b) => a - b), cpu: (user + system) / questions, timings };
}

/** Mean milliseconds of each stage in a round. */
function stagesOf(rounds: readonly Round[]): readonly (readonly [string, Summary])[] {
  const [first] = rounds[0]?.timings ?? [];
  return Object.keys(first ?? {}).map((stage) => {
    const means = rounds.map(
      ({ timings }) =>
        timings.reduce((sum, timing) => sum + timing[stage as keyof RecallTimings], 0) / timings.length,
    );
    return [stage, summarize(means)];
  });
}

/** Bytes that a text takes, and the largest parts of it. */
async function weighed(texts: number, { own, ours, peer, theirs }: Opened): Promise<readonly Result[]> {
  const [sizes, peerSizes] = [await ours.sizes(), await theirs.sizes()];
  const total = sum(sizes.map(({ bytes }) => bytes)) / texts;
  const peerTotal = sum(peerSizes.map(({ bytes }) => bytes)) / texts;
  const parts = new Map<string, number>();
  for (const { table, bytes } of sizes) parts.set(table, (parts.get(table) ?? 0) + bytes / texts);
  const large = [...parts].filter(([, bytes]) => bytes > total / 50).sort(([, a], [, b]) => b - a);
  const line = { measure: "size", store: own.name, unit: "bytes" };
  const name = `a text of ${texts.toLocaleString("en")}`;
  return [
    {
      ...line,
      case: name,
      figures: summarize([total]),
      peer: { store: peer.name, figures: summarize([peerTotal]) },
      ratio: summarize([peerTotal / total]),
    },
    ...large.map(([table, bytes]) => ({ ...line, case: `  its ${table}`, figures: summarize([bytes]) })),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
