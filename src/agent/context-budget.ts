import { cutToTokens } from "../text/cut.ts";
import type { TokenCounter } from "../text/token-counter.ts";
import {
  type BlockView,
  cutMark,
  type EpisodeView,
  type FactView,
  type LeftOut,
  renderContext,
  renderEpisode,
  renderFact,
} from "./context-view.ts";
import { type HistoryMessage, turnsOf } from "./history.ts";

/** What a context may hold, the best first, and the history with its oldest message first. */
export interface Wanted {
  readonly blocks: readonly BlockView[];
  readonly facts: readonly FactView[];
  readonly episodes: readonly EpisodeView[];
  readonly history: readonly HistoryMessage[];
}

/** What of it there is room for. */
export interface Packed extends Wanted {
  readonly leftOut: LeftOut;
  /** What was cut: ids of episodes, and how many messages of the last turn. */
  readonly shortened: { readonly episodes: readonly string[]; readonly messages: number };
}

/** Tokens that chat formats add to a message. */
const perMessage = 4;
/** A part of a text that is shorter than this many tokens is of no use. */
const leastPart = 16;
/** A number in the line on what is left out, none of which is longer. */
const anyNumber = 9999;
const sectionTags = "<facts>\n</facts>\n<episodes>\n</episodes>\n";

export function tokensOfMessage({ content, toolCalls }: HistoryMessage, counter: TokenCounter): number {
  const calls = toolCalls === undefined ? 0 : counter.count(JSON.stringify(toolCalls));
  return perMessage + counter.count(content) + calls;
}

const nothing: LeftOut = { facts: 0, episodes: 0, messages: 0 };

/** The message that a text of memories becomes takes as much; none takes nothing. */
function tokensOfText(text: string, counter: TokenCounter): number {
  return text === "" ? 0 : perMessage + counter.count(text);
}

function tokensOf(packed: Wanted, leftOut: LeftOut, counter: TokenCounter): number {
  const history = packed.history.reduce((sum, message) => sum + tokensOfMessage(message, counter), 0);
  return tokensOfText(renderContext(packed, leftOut), counter) + history;
}

/**
 * Divides a budget: blocks come first and whole, whatever they take. Of what is left, recalled memories and the history may
 * each have half, and what the other does not need. Facts come before episodes, and the latest turns of the history before
 * earlier ones.
 */
export function packContext(wanted: Wanted, maxTokens: number | undefined, counter: TokenCounter): Packed {
  if (maxTokens === undefined || tokensOf(wanted, nothing, counter) <= maxTokens)
    return { ...wanted, leftOut: nothing, shortened: { episodes: [], messages: 0 } };
  // A text may have more tokens than its parts, so what comes of it is counted, and made smaller where it is too large.
  for (let budget = maxTokens; ; ) {
    const packed = divide(wanted, budget, counter);
    const over = tokensOf(packed, packed.leftOut, counter) - maxTokens;
    if (over <= 0 || packed.facts.length + packed.episodes.length + packed.history.length === 0)
      return packed;
    budget -= Math.ceil(Math.max(over, budget * 0.05));
  }
}

function divide(wanted: Wanted, budget: number, counter: TokenCounter): Packed {
  const { blocks, facts, episodes, history } = wanted;
  // Something goes, and the text will say what: the tags and that line are paid for first.
  const most = { facts: anyNumber, episodes: anyNumber, messages: anyNumber };
  const frame = renderContext({ blocks, facts: [], episodes: [] }, most);
  const tags = facts.length + episodes.length === 0 ? 0 : counter.count(sectionTags);
  const left = Math.max(0, budget - tokensOfText(frame, counter) - tags);
  const historyCost = history.reduce((sum, message) => sum + tokensOfMessage(message, counter), 0);
  const recalled = fitRecalled(wanted, Math.max(left - historyCost, Math.floor(left / 2)), counter);
  const recent = fitHistory(history, left - recalled.tokens, counter);
  return {
    ...{ blocks, facts: recalled.facts, episodes: recalled.episodes, history: recent.messages },
    leftOut: {
      facts: facts.length - recalled.facts.length,
      episodes: episodes.length - recalled.episodes.length,
      messages: history.length - recent.messages.length,
    },
    shortened: { episodes: recalled.shortened, messages: recent.shortened },
  };
}

/** Facts are taken whole or not at all: a part of one says something else. The first episode that does not fit is cut, and the last. */
function fitRecalled(
  { facts, episodes }: Wanted,
  room: number,
  counter: TokenCounter,
): {
  readonly facts: readonly FactView[];
  readonly episodes: readonly EpisodeView[];
  readonly shortened: readonly string[];
  readonly tokens: number;
} {
  // The line break before each may be a token of its own.
  const costOf = (text: string): number => counter.count(text) + 1;
  let tokens = 0;
  const keptFacts = facts.filter((fact) => {
    const cost = costOf(renderFact(fact));
    if (tokens + cost > room) return false;
    tokens += cost;
    return true;
  });
  const keptEpisodes: EpisodeView[] = [];
  const shortened: string[] = [];
  for (const episode of episodes) {
    const cost = costOf(renderEpisode(episode));
    if (tokens + cost <= room) {
      keptEpisodes.push(episode);
      tokens += cost;
      continue;
    }
    const part = cutEpisode(episode, room - tokens - 1, counter);
    if (part !== undefined) {
      keptEpisodes.push(part);
      shortened.push(part.id);
      tokens += costOf(renderEpisode(part));
    }
    break;
  }
  return { facts: keptFacts, episodes: keptEpisodes, shortened, tokens };
}

/** An episode of at most so many tokens: its sides have half of them each, and what the other does not need. */
function cutEpisode(episode: EpisodeView, room: number, counter: TokenCounter): EpisodeView | undefined {
  const { input, output } = episode;
  const [came, went] = [counter.count(input), counter.count(output)];
  const frame = counter.count(renderEpisode({ ...episode, input: "x", output: "x" }));
  // Escapes and marks make text longer, so what is cut is checked as it will be written.
  for (let left = room - frame; left >= leastPart; left = Math.floor(left * 0.8)) {
    const half = Math.floor(left / 2);
    const part = {
      ...episode,
      input: cutText(input, Math.max(half, left - went), counter),
      output: cutText(output, Math.max(half, left - came), counter),
    };
    if (counter.count(renderEpisode(part)) <= room) return part;
  }
  return undefined;
}

function cutText(text: string, tokens: number, counter: TokenCounter): string {
  const part = cutToTokens(text, tokens, counter);
  return part === text ? text : `${part.trimEnd()}${cutMark}`;
}

/** The latest turns that fit, whole; of the last one, where it alone does not fit, what was said, cut and without its tools. */
function fitHistory(
  history: readonly HistoryMessage[],
  room: number,
  counter: TokenCounter,
): { readonly messages: readonly HistoryMessage[]; readonly shortened: number } {
  let left = room;
  const kept: HistoryMessage[][] = [];
  const turns = turnsOf(history);
  for (const turn of turns.toReversed()) {
    const cost = turn.reduce((sum, message) => sum + tokensOfMessage(message, counter), 0);
    if (cost > left) break;
    kept.unshift([...turn]);
    left -= cost;
  }
  const last = turns.at(-1);
  if (kept.length > 0 || last === undefined) return { messages: kept.flat(), shortened: 0 };
  const said = last.filter(({ role, toolCalls }) => role !== "tool" && toolCalls === undefined);
  for (
    let each = Math.floor(room / Math.max(1, said.length)) - perMessage;
    each >= leastPart;
    each = Math.floor(each * 0.8)
  ) {
    const parts = said.map((message) => ({ ...message, content: cutText(message.content, each, counter) }));
    const cost = parts.reduce((sum, message) => sum + tokensOfMessage(message, counter), 0);
    if (cost <= room)
      return {
        messages: parts,
        shortened: parts.filter(({ content }, i) => content !== said[i]?.content).length,
      };
  }
  return { messages: [], shortened: 0 };
}
