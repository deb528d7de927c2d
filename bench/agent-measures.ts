import { type AgentMemory, resolveMemory, type ScopedMemory } from "../src/agent.ts";
import { openLedger } from "../src/index.ts";
import { percentile, summarize } from "./measure.ts";
import type { Result } from "./report.ts";
import { speedQuestion, speedText } from "./speed-texts.ts";

export interface AgentSettings {
  /** Episodes of one user when it is asked, rising. */
  readonly sizes: readonly number[];
  readonly users: { readonly count: number; readonly episodes: number };
  /** Calls of each kind that are timed. */
  readonly calls: number;
  readonly signal: AbortSignal;
}

/** Episodes that are stored at once while a store is filled. */
const batch = 100;
/** Calls before those that are timed, until code is compiled and caches are warm. */
const warmUp = 20;
const percents = [50, 95] as const;

/** What a user might tell, so that there is something to extract in every other episode. */
const told = [
  (word: string) => `My dog is called ${word}.`,
  (word: string) => `I live in ${word}.`,
  (word: string) => `I like ${word}.`,
  (word: string) => `I work at ${word}.`,
];

interface Exchange {
  readonly input: string;
  readonly output: string;
  readonly sessionId: string;
  readonly occurredAt: number;
}

function episode(number: number): Exchange {
  const [asked, answered] = [speedText(2 * number), speedText(2 * number + 1)];
  const tell = told[(number / 2) % told.length];
  const [topic = "Rex"] = asked.topics;
  const name = `${topic.slice(0, 1).toUpperCase()}${topic.slice(1)}`;
  return {
    input: tell === undefined ? asked.content : `${tell(name)} ${asked.content}`,
    output: answered.content,
    sessionId: asked.session,
    occurredAt: asked.saidAt,
  };
}

/** How long remembering and recalling take while the memory of one user grows, and how fast facts are extracted. */
export async function measureOneUser(url: string, settings: AgentSettings): Promise<readonly Result[]> {
  const { calls, signal } = settings;
  await using ledger = openLedger(url);
  await using filler = resolveMemory({ store: ledger, autoExtract: false });
  await using memory = resolveMemory({ store: ledger });
  const results: Result[] = [];
  let filled = 0;
  const more = async (into: AgentMemory, to: number): Promise<void> => {
    await fill(into, { user: "user-0", from: filled, to, signal });
    filled = to;
  };
  for (const size of settings.sizes) {
    const name = `${size.toLocaleString("en")} episodes`;
    await more(filler, size - 2 * calls);
    await more(memory, size - calls);
    const start = performance.now();
    await memory.work({ once: true, only: "extraction", signal });
    const rate = (calls * 1000) / (performance.now() - start);
    const line = { measure: "extract", case: name, store: storeOf(url), unit: "episodes/s" };
    results.push({ ...line, figures: summarize([rate]) });
    const first = filled;
    const callOf = (i: number): Call => ({ user: "user-0", number: first + i, of: first });
    results.push(...resultsOf(name, url, await timeCalls(memory, settings, callOf)));
    filled += calls;
  }
  return results;
}

/** The same with many users, another one at each call. */
export async function measureUsers(url: string, settings: AgentSettings): Promise<readonly Result[]> {
  const { signal } = settings;
  const { count, episodes } = settings.users;
  await using ledger = openLedger(url);
  await using filler = resolveMemory({ store: ledger, autoExtract: false });
  await using memory = resolveMemory({ store: ledger });
  for (let user = 0; user < count; user++) {
    const from = user * episodes;
    await fill(filler, { user: `user-${user}`, from, to: from + episodes, signal });
  }
  const timed = await timeCalls(memory, settings, (i) => {
    const user = (i * 7919) % count;
    return { user: `user-${user}`, number: count * episodes + i, of: (user + 1) * episodes };
  });
  return resultsOf(`${count.toLocaleString("en")} users of ${episodes}`, url, timed);
}

async function fill(
  memory: AgentMemory,
  {
    user,
    from,
    to,
    signal,
  }: { readonly user: string; readonly from: number; readonly to: number; readonly signal: AbortSignal },
): Promise<void> {
  const scoped = (await memory.flux()).for({ userId: user });
  for (let first = from; first < to; first += batch) {
    signal.throwIfAborted();
    const items = Array.from({ length: Math.min(batch, to - first) }, (_, i) => episode(first + i));
    await scoped.storeBatch(items);
  }
}

interface Call {
  readonly user: string;
  /** Of the episode to remember. */
  readonly number: number;
  /** One more than that of an episode to ask about. */
  readonly of: number;
}

/** Milliseconds of each kind of call, in rising order. Facts are extracted meanwhile, as they are in an application. */
async function timeCalls(
  memory: AgentMemory,
  { calls, signal }: AgentSettings,
  callOf: (i: number) => Call,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const times = new Map<string, number[]>();
  const timed = async (kind: string, i: number, call: () => Promise<unknown>): Promise<void> => {
    signal.throwIfAborted();
    const start = performance.now();
    await call();
    const list = times.get(kind) ?? [];
    times.set(kind, list);
    if (i >= 0) list.push(performance.now() - start);
  };
  const handleOf = ({ user }: Call) => memory.for({ userId: user, sessionId: "now" });
  for (let i = 0; i < calls; i++) {
    const call = callOf(i);
    const { input, output } = episode(call.number);
    await timed("remember", i, () => handleOf(call).remember({ input, output }));
  }
  await memory.flush({ signal });
  const reads = {
    recall: (scoped: ScopedMemory, question: string) => scoped.recall(question),
    recallFacts: (scoped: ScopedMemory, question: string) => scoped.recallFacts(question),
  };
  for (const [kind, read] of Object.entries(reads)) {
    for (let i = -warmUp; i < calls; i++) {
      const call = callOf(Math.abs(i));
      const question = speedQuestion(2 * (call.of - 1 - (Math.abs(i) % Math.min(call.of, 1000))), i + warmUp);
      await timed(kind, i, () => read(handleOf(call), question));
    }
  }
  for (const list of times.values()) list.sort((a, b) => a - b);
  return times;
}

function resultsOf(
  name: string,
  url: string,
  times: ReadonlyMap<string, readonly number[]>,
): readonly Result[] {
  return [...times].flatMap(([kind, sorted]) =>
    percents.map((percent) => ({
      ...{ measure: kind, case: `${name}, p${percent}`, store: storeOf(url), unit: "ms" },
      figures: summarize([percentile(sorted, percent)]),
    })),
  );
}

/** Never the address, which may hold a password. */
function storeOf(url: string): string {
  return url.split(":", 1)[0] ?? "";
}
