import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { inRounds, percentile, ratios, summarize } from "./measure.ts";
import type { PeerContender, PeerStore } from "./peers/peer-store.ts";
import type { Result } from "./report.ts";
import { type SpeedText, speedQuestion, speedText } from "./speed-texts.ts";

export interface PeerSettings {
  /** Texts in each store when it is asked, rising. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** In one round. */
  readonly adds: number;
  /** In one round. */
  readonly searches: number;
  readonly signal: AbortSignal;
}

/** Texts that are added at once while a store is filled. */
const batch = 100;
const percents = [50, 95] as const;
/** Adds that nobody waits for before the next one begins, to see whether all of them are kept. */
const atOnce = 100;

/**
 * The same adds and searches on all of them, in turns. Every one of ours is put beside every one of the others.
 *
 * @param folder on a disk; each store gets a folder in it
 */
export async function measurePeers(
  { own, others }: { readonly own: readonly PeerContender[]; readonly others: readonly PeerContender[] },
  folder: string,
  settings: PeerSettings,
): Promise<readonly Result[]> {
  await using opened = new AsyncDisposableStack();
  const contenders: Opened[] = [];
  for (const { name, open } of [...own, ...others]) {
    const place = join(folder, name.replaceAll(" ", "-"));
    await mkdir(place);
    contenders.push({ name, store: opened.use(await open(place)) });
  }
  const pairs = own.flatMap(({ name }) => others.map((other) => [name, other.name] as const));
  const results: Result[] = [];
  // Not counted: code is compiled, and some make their tables when they are first written to.
  for (const { store } of contenders) await fill(store, 0, batch, settings);
  let filled = batch;
  for (const size of settings.sizes) {
    const name = `${size.toLocaleString("en")} texts`;
    const from = filled;
    const report = (measure: string, unit: string, rounds: Rounds, better: "more" | "less") =>
      results.push(...compared({ measure, unit, case: name, pairs, rounds, better }));
    const rounds = <T>(run: (store: PeerStore, round: number) => Promise<T>, count = settings.rounds) =>
      inRounds(contenders.map(inOrder(run)), count, settings.signal);
    const until = Math.max(from, size - settings.rounds * settings.adds);
    report(
      "add 100 at a time",
      "texts/s",
      await rounds((store) => fill(store, from, until, settings), 1),
      "more",
    );
    const single = (store: PeerStore, round: number) =>
      addSingly(store, until + round * settings.adds, settings);
    report("add one at a time", "texts/s", await rounds(single), "more");
    filled = until + settings.rounds * settings.adds;
    const all = filled;
    const ask = (store: PeerStore, round: number) => askAll(store, all, round, settings);
    // Not counted: caches are filled.
    for (const { store } of contenders) await ask(store, settings.rounds);
    const times = await rounds(ask);
    for (const percent of percents) {
      const of = [...times].map(([who, all]) => [who, all.map((one) => percentile(one, percent))] as const);
      report(`search, p${percent}`, "ms", new Map(of), "less");
    }
  }
  const kept = new Map<string, readonly number[]>();
  for (const { name, store } of contenders) kept.set(name, [await addAtOnce(store, filled)]);
  const line = { measure: "kept", unit: "texts", case: `${atOnce} adds at the same time` };
  results.push(...compared({ ...line, pairs, rounds: kept, better: "more" }));
  return results;
}

interface Opened {
  readonly name: string;
  readonly store: PeerStore;
}

type Rounds = ReadonlyMap<string, readonly number[]>;

/** Lets a contender know which round of its own it is. */
function inOrder<T>(run: (store: PeerStore, round: number) => Promise<T>) {
  return ({ name, store }: Opened) => {
    let round = 0;
    return { name, run: () => run(store, round++) };
  };
}

async function fill(store: PeerStore, from: number, to: number, { signal }: PeerSettings): Promise<number> {
  const start = performance.now();
  for (let first = from; first < to; first += batch) {
    signal.throwIfAborted();
    await store.add(Array.from({ length: Math.min(batch, to - first) }, (_, i) => speedText(first + i)));
  }
  return ((to - from) * 1000) / (performance.now() - start);
}

async function addSingly(store: PeerStore, from: number, { adds, signal }: PeerSettings): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < adds; i++) {
    signal.throwIfAborted();
    await store.add([speedText(from + i)]);
  }
  return (adds * 1000) / (performance.now() - start);
}

/** @returns how many of them are there when all were acknowledged */
async function addAtOnce(store: PeerStore, from: number): Promise<number> {
  const before = await store.count();
  const text = (number: number): SpeedText => {
    const made = speedText(number);
    // Told apart, so that nobody takes one for another said again.
    return { ...made, content: `${made.content} That was number ${number}.` };
  };
  await Promise.all(Array.from({ length: atOnce }, (_, i) => store.add([text(from + i)])));
  return (await store.count()) - before;
}

/** @returns milliseconds, in rising order */
async function askAll(
  store: PeerStore,
  texts: number,
  round: number,
  { searches, signal }: PeerSettings,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < searches; i++) {
    signal.throwIfAborted();
    const number = ((round * 1009 + i) * 7919) % texts;
    const [text, question] = [speedText(number), speedQuestion(number, i)];
    const start = performance.now();
    const found = await store.search(text, question);
    times.push(performance.now() - start);
    if (found === 0) throw new Error(`Nothing was found for "${question}"`);
  }
  return times.sort((a, b) => a - b);
}

interface Comparison {
  readonly measure: string;
  readonly unit: string;
  readonly case: string;
  readonly pairs: readonly (readonly [own: string, other: string])[];
  readonly rounds: Rounds;
  readonly better: "more" | "less";
}

function compared({ pairs, rounds, better, ...line }: Comparison): readonly Result[] {
  return pairs.map(([own, other]) => {
    const [mine, theirs] = [rounds.get(own) ?? [], rounds.get(other) ?? []];
    return {
      ...line,
      store: own,
      figures: summarize(mine),
      peer: { store: other, figures: summarize(theirs) },
      ratio: better === "more" ? ratios(mine, theirs) : ratios(theirs, mine),
    };
  });
}
