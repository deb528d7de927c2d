import type { WriteOptions } from "../flux/flux-memory.ts";
import { optionNames } from "../model/options.ts";
import type { CallOptions } from "../store/driver.ts";
import type { CloseMemoryOptions, FlushOptions, ForgetFilter, RecallFactsOptions } from "./agent-memory.ts";
import type { AppendBlockOptions, PinBlockOptions, UpdateBlockOptions } from "./blocks.ts";
import type {
  EpisodeChanges,
  ListEpisodesOptions,
  NewEpisode,
  RecallEpisodesOptions,
  RecallScoredOptions,
  SessionMessagesOptions,
  TimeRange,
  TranscriptCall,
  TranscriptMessage,
} from "./episodes.ts";

const call = { operation: true, signal: true } as const;
const asked = { limit: true, onDegraded: true, signal: true } as const;
const recall = { ...asked, timeRange: true, where: true, askedAt: true, zone: true } as const;
const recallFacts = { ...asked, minScore: true, asOf: true, knownAt: true, history: true } as const;

/** The properties that options and objects may have. */
export const names = {
  call: optionNames<CallOptions>({ signal: true }),
  write: optionNames<WriteOptions>(call),
  flush: optionNames<FlushOptions>({ timeout: true, signal: true }),
  close: optionNames<CloseMemoryOptions>({ timeout: true }),
  updateBlock: optionNames<UpdateBlockOptions>({ ...call, position: true, pinned: true, maxBytes: true }),
  appendBlock: optionNames<AppendBlockOptions>({ ...call, separator: true }),
  pinBlock: optionNames<PinBlockOptions>({ ...call, pinned: true }),
  newEpisode: optionNames<NewEpisode>({
    ...{ id: true, input: true, output: true, occurredAt: true, sessionId: true, transcript: true },
    ...{ metadata: true, expiresAt: true, importance: true, pinned: true },
  }),
  transcriptMessage: optionNames<TranscriptMessage>({
    ...{ role: true, content: true, name: true, toolCalls: true, toolCallId: true },
  }),
  transcriptCall: optionNames<TranscriptCall>({ id: true, name: true, arguments: true }),
  recall: optionNames<RecallEpisodesOptions>(recall),
  recallScored: optionNames<RecallScoredOptions>({ ...recall, alpha: true }),
  recallFacts: optionNames<RecallFactsOptions>(recallFacts),
  /** Before it is known what is asked for. */
  recallEither: optionNames<RecallEpisodesOptions & RecallFactsOptions & { kind?: string }>({
    ...recall,
    ...recallFacts,
    kind: true,
  }),
  where: optionNames<NonNullable<RecallEpisodesOptions["where"]>>({
    sessionIds: true,
    agentIds: true,
    filter: true,
  }),
  timeRange: optionNames<TimeRange>({ from: true, until: true }),
  listEpisodes: optionNames<ListEpisodesOptions>({
    ...{ sessionId: true, agentId: true, timeRange: true, filter: true, order: true },
    ...{ limit: true, after: true, signal: true },
  }),
  episodeChanges: optionNames<EpisodeChanges>({
    metadata: true,
    importance: true,
    pinned: true,
    expiresAt: true,
  }),
  sessionMessages: optionNames<SessionMessagesOptions>({ limit: true, signal: true }),
  forget: optionNames<ForgetFilter>({ sessionId: true, from: true, before: true, ids: true, text: true }),
};
