import {
  checkKnown,
  checkMethod,
  checkMilliseconds,
  checkSignal,
  checkString,
  checkTime,
} from "../flux/check-options.ts";
import { defined } from "../flux/draft.ts";
import type { ScopedMemory } from "../memory/agent-memory.ts";
import type { EpisodeMatch, SessionMessage } from "../memory/episodes.ts";
import { checkFunction, checkWhole } from "../model/check-values.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { failureCause } from "../model/failure.ts";
import { checkId } from "../model/ids.ts";
import { optionNames } from "../model/options.ts";
import { checkedCounter } from "../recall/options.ts";
import { within } from "../recall/within.ts";
import { estimatedTokens, type TokenCounter } from "../text/token-counter.ts";
import { type Packed, packContext, tokensOfMessage } from "./context-budget.ts";
import { chooseEpisodes, chooseFacts, type Rated } from "./context-choice.ts";
import { type BlockView, type EpisodeView, type FactView, renderContext } from "./context-view.ts";
import type { HistoryMessage } from "./history.ts";
import { type ContextPart, type MemoryDegradation, type MemoryListener, tell } from "./memory-event.ts";

/** What of a memory a context is made of. */
export type ContextMemory = Pick<
  ScopedMemory,
  "sessionId" | "working" | "recallFacts" | "recallScored" | "sessionMessages"
>;

export interface ContextOptions {
  /** The session that the run belongs to: its messages are the history, and its episodes are not recalled. Default: that of the memory. */
  readonly sessionId?: string | undefined;
  /** Facts at most, 0 to 100. Default 5. */
  readonly facts?: number | undefined;
  /** Episodes of other sessions at most, 0 to 30. Default 3. */
  readonly episodes?: number | undefined;
  /** Messages of the history at most, 0 to 1,000, as `sessionMessages` counts them. Default 20. */
  readonly history?: number | undefined;
  /** Tokens that all messages together may have, from 1. Blocks are always there, even where they have more. Default: no limit. */
  readonly maxTokens?: number | undefined;
  /** Counts tokens. Default: an estimate. */
  readonly tokenCounter?: TokenCounter | undefined;
  /** Days after which a memory counts half as much, above 0. Default: age does not count. */
  readonly halfLifeDays?: number | undefined;
  /** When it is asked, in milliseconds: what facts hold, and how old memories are. Default now. */
  readonly now?: number | undefined;
  /** Milliseconds that each read of the memory may take, from 1. Default 5,000. */
  readonly timeout?: number | undefined;
  readonly onEvent?: MemoryListener | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What there was no room for. */
export type ContextCut =
  | { readonly part: "facts" | "episodes"; readonly id: string; readonly how: "left_out" | "shortened" }
  | { readonly part: "history"; readonly messages: number; readonly how: "left_out" | "shortened" };

/** How much of each kind a context has. */
export interface ContextUse {
  /** As the counter counts them, with four for each message. */
  readonly tokens: number;
  readonly blocks: number;
  readonly facts: number;
  readonly episodes: number;
  readonly messages: number;
}

export interface MemoryContext {
  /** To be put between the instructions and the prompt: what is remembered, as one message, if there is anything, and the history. */
  readonly messages: readonly HistoryMessage[];
  readonly used: ContextUse;
  /** Empty when there was room for everything. */
  readonly cut: readonly ContextCut[];
  /** Empty when all is well. */
  readonly degraded: readonly MemoryDegradation[];
}

const optionsNames = optionNames<ContextOptions>({
  ...{ sessionId: true, facts: true, episodes: true, history: true, maxTokens: true, tokenCounter: true },
  ...{ halfLifeDays: true, now: true, timeout: true, onEvent: true, signal: true },
});

const partOrder: readonly ContextPart[] = ["blocks", "facts", "episodes", "history"];

const mostAsked = 100;
/** Candidates for each place, of which near-duplicates, the present session and age leave some out. */
const perPlace = 3;

/**
 * What a memory adds to a run: its blocks, the facts that hold now and fit the prompt, episodes of other sessions that do, and
 * the history of the session. The same memory, prompt and options give the same messages.
 *
 * What is remembered is one message of the user's, below the instructions: delimited, escaped, and marked as data. A memory
 * that fails or is too slow takes no run along: what could be read is used, and `degraded` and `onEvent` say what is missing.
 *
 * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id` for arguments of a wrong form; the reason of an aborted signal
 */
export async function buildContext(
  memory: ContextMemory,
  prompt: string,
  options: ContextOptions = {},
): Promise<MemoryContext> {
  const checked = checkOptions(memory, prompt, options);
  const { signal, onEvent, now = Date.now(), halfLifeDays, maxTokens, tokenCounter } = checked;
  signal?.throwIfAborted();
  const reader = new MemoryReader(memory, prompt, checked);
  const [blocks, facts, episodes, history] = await Promise.all([
    reader.blocks(),
    reader.facts(),
    reader.episodes(),
    reader.history(),
  ]);
  const wanted = {
    blocks,
    facts: chooseFacts(facts, { limit: checked.facts, now, halfLifeDays }),
    episodes: chooseEpisodes(episodes, { limit: checked.episodes, now, halfLifeDays }),
    history,
  };
  const packed = packContext(wanted, maxTokens, tokenCounter);
  const text = renderContext(packed, packed.leftOut);
  const messages: HistoryMessage[] = [
    ...(text === "" ? [] : [{ role: "user", content: text } as const]),
    ...packed.history,
  ];
  const used = {
    blocks: packed.blocks.length,
    facts: packed.facts.length,
    episodes: packed.episodes.length,
    messages: packed.history.length,
  };
  tell(onEvent, { type: "memory_recall", ...used });
  return {
    messages,
    used: { tokens: messages.reduce((sum, one) => sum + tokensOfMessage(one, tokenCounter), 0), ...used },
    cut: cutsOf(wanted, packed),
    degraded: reader.degraded.toSorted((a, b) => partOrder.indexOf(a.part) - partOrder.indexOf(b.part)),
  };
}

type Checked = ReturnType<typeof checkOptions>;

function checkOptions(memory: ContextMemory, prompt: string, given: ContextOptions) {
  const { working, recallFacts, recallScored, sessionMessages } = Object(memory) as Partial<ContextMemory>;
  if (![working, recallFacts, recallScored, sessionMessages].every((method) => typeof method === "function"))
    throw new FluxTypeError("invalid_argument", `memory must be that of one user, not ${describe(memory)}`, {
      hint: "Give what for({ userId }) of an agent's memory returns.",
    });
  checkString(prompt, "prompt");
  const options = checkKnown(given, optionsNames);
  const { sessionId = memory.sessionId, facts = 5, episodes = 3, history = 20, maxTokens } = options;
  const { tokenCounter = estimatedTokens, halfLifeDays, now, timeout = 5000, onEvent, signal } = options;
  if (sessionId !== undefined) checkId(sessionId, "sessionId");
  checkWhole(facts, "facts", 0, 100);
  checkWhole(episodes, "episodes", 0, 30);
  checkWhole(history, "history", 0, 1000);
  if (maxTokens !== undefined) checkWhole(maxTokens, "maxTokens", 1, Number.MAX_SAFE_INTEGER);
  if (now !== undefined) checkTime(now, "now");
  checkMilliseconds(timeout, "timeout", 1, 600_000);
  if (halfLifeDays !== undefined && !(typeof halfLifeDays === "number" && halfLifeDays > 0))
    throw new FluxError("invalid_argument", "halfLifeDays must be a number above 0");
  checkMethod(tokenCounter, "tokenCounter", "count");
  checkFunction(onEvent, "onEvent");
  checkSignal(signal);
  return {
    ...{ sessionId, facts, episodes, history, maxTokens, tokenCounter: checkedCounter(tokenCounter) },
    ...{ halfLifeDays, now, timeout, onEvent, signal },
  };
}

/** Reads the parts of a context, each for itself: one that fails leaves the others. */
class MemoryReader {
  readonly degraded: MemoryDegradation[] = [];
  readonly #memory: ContextMemory;
  readonly #prompt: string;
  readonly #options: Checked;

  constructor(memory: ContextMemory, prompt: string, options: Checked) {
    this.#memory = memory;
    this.#prompt = prompt;
    this.#options = options;
  }

  blocks(): Promise<readonly BlockView[]> {
    return this.#read("blocks", (signal) => this.#memory.working({ signal }));
  }

  async facts(): Promise<readonly Rated<FactView>[]> {
    const { facts, now } = this.#options;
    if (facts === 0) return [];
    const limit = Math.min(mostAsked, facts * perPlace);
    const found = await this.#read("facts", (signal) =>
      this.#memory.recallFacts(this.#prompt, {
        ...{ limit, asOf: now, signal },
        onDegraded: (some) => this.#degradeAll("facts", some),
      }),
    );
    const current = found.filter(
      ({ recordedUntil, supersededBy }) => recordedUntil === undefined && supersededBy === undefined,
    );
    return current.map((fact) => ({ item: { ...fact, saidAt: fact.lastSaidAt }, score: fact.score }));
  }

  /** Asks again for more where episodes of the present session took the places of others. */
  async episodes(): Promise<readonly Rated<EpisodeView>[]> {
    const { episodes, sessionId, now } = this.#options;
    if (episodes === 0) return [];
    const onDegraded = (some: readonly Omit<MemoryDegradation, "part">[]): void =>
      this.#degradeAll("episodes", some);
    return this.#read("episodes", async (signal) => {
      const wanted = episodes * perPlace;
      for (let limit = wanted; ; limit = Math.min(mostAsked, limit * 4)) {
        const first = limit === wanted ? { onDegraded } : {};
        const found = await this.#memory.recallScored(this.#prompt, {
          limit,
          askedAt: now,
          signal,
          ...first,
        });
        const others = found.filter(
          ({ episode }) => sessionId === undefined || episode.sessionId !== sessionId,
        );
        if (others.length >= wanted || found.length < limit || limit === mostAsked)
          return others.map(ratedEpisode);
      }
    });
  }

  async history(): Promise<readonly HistoryMessage[]> {
    const { history: limit, sessionId } = this.#options;
    if (limit === 0 || sessionId === undefined) return [];
    const found = await this.#read("history", (signal) =>
      this.#memory.sessionMessages(sessionId, { limit, signal }),
    );
    return found.flatMap(historyMessage);
  }

  async #read<T>(
    part: ContextPart,
    call: (signal: AbortSignal) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const { timeout, signal } = this.#options;
    try {
      return await within({ timeout, signal }, call);
    } catch (error) {
      signal?.throwIfAborted();
      // What the program gave has another form than the memory takes.
      if (error instanceof FluxTypeError) throw error;
      const cause = failureCause(error);
      const how = cause.code === "timeout" ? "took too long" : "failed";
      this.#degrade({ part, code: cause.code, reason: `Reading ${part} from the memory ${how}`, cause });
      return [];
    }
  }

  #degradeAll(part: ContextPart, some: readonly Omit<MemoryDegradation, "part">[]): void {
    for (const { code, reason, cause } of some) this.#degrade({ part, code, reason, ...defined({ cause }) });
  }

  #degrade(one: MemoryDegradation): void {
    this.degraded.push(one);
    tell(this.#options.onEvent, { type: "memory_degraded", ...one });
  }
}

function ratedEpisode({ episode, score, supersededBy }: EpisodeMatch): Rated<EpisodeView> {
  const { id, input, output, occurredAt } = episode;
  return { item: { id, input, output, occurredAt, supersededBy }, score };
}

/** What was once stored as a system's message does not become an instruction by that. */
function historyMessage(message: SessionMessage): HistoryMessage[] {
  const { role, content, name, toolCalls, toolCallId } = message;
  if (role === "system") return [];
  return [{ role, content, ...defined({ name, toolCalls, toolCallId }) }];
}

function cutsOf(
  wanted: { readonly facts: readonly FactView[]; readonly episodes: readonly EpisodeView[] },
  { facts, episodes, leftOut, shortened }: Packed,
): ContextCut[] {
  const gone = <T extends { readonly id: string }>(all: readonly T[], kept: readonly T[]): string[] =>
    all.filter(({ id }) => !kept.some((one) => one.id === id)).map(({ id }) => id);
  return [
    ...gone(wanted.facts, facts).map((id) => ({ part: "facts", id, how: "left_out" }) as const),
    ...gone(wanted.episodes, episodes).map((id) => ({ part: "episodes", id, how: "left_out" }) as const),
    ...shortened.episodes.map((id) => ({ part: "episodes", id, how: "shortened" }) as const),
    ...messageCut(leftOut.messages, "left_out"),
    ...messageCut(shortened.messages, "shortened"),
  ];
}

function messageCut(messages: number, how: "left_out" | "shortened"): ContextCut[] {
  return messages === 0 ? [] : [{ part: "history", messages, how }];
}
