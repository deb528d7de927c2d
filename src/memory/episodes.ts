import type { FluxDegradation } from "../flux/flux.ts";
import type { WriteOptions } from "../flux/flux-memory.ts";
import type { RecordChanges } from "../flux/memory-record.ts";
import type { Json } from "../model/json.ts";
import type { Role } from "../model/message.ts";
import type { Metadata } from "../model/metadata.ts";
import type { RecallHit } from "../recall/result.ts";
import type { RecallSignal } from "../recall/score.ts";
import type { ErasureReceipt } from "../store/erasures.ts";
import type { Filter } from "../store/filter.ts";
import type { GrainConditions } from "../store/search.ts";

/** Which side of an exchange is kept: what came in, what went out, or both. */
export type StoreSides = "both" | "input" | "output";

/** A call of a tool by an assistant. */
export interface TranscriptCall {
  readonly id: string;
  readonly name: string;
  readonly arguments?: Json | undefined;
}

/** One message of a tool transcript: an assistant's with its calls, or the result of one. */
export interface TranscriptMessage {
  readonly role: "assistant" | "tool";
  readonly content: string;
  /** Of a result: the name of the tool. */
  readonly name?: string | undefined;
  readonly toolCalls?: readonly TranscriptCall[] | undefined;
  /** Of a result: the call that it answers. */
  readonly toolCallId?: string | undefined;
}

/** One exchange to remember. */
export interface NewEpisode {
  /**
   * Default: `ep_` and a random id. The same id with the same content has no effect; with another content it replaces the episode,
   * with all that was derived from the old one.
   */
  readonly id?: string | undefined;
  /** What came in: the user's words. */
  readonly input: string;
  /** What went out: the answer. Default "". */
  readonly output?: string | undefined;
  /** Milliseconds. Default now. */
  readonly occurredAt?: number | undefined;
  /** The session it belongs to. Default: that of the handle. */
  readonly sessionId?: string | undefined;
  /** What tools did in between, in order. An empty list is kept apart from none. */
  readonly transcript?: readonly TranscriptMessage[] | undefined;
  /** Flat data of your own, which recall can filter on. Never read as a user, a session or an agent. */
  readonly metadata?: Metadata | undefined;
  /** Milliseconds; invisible from this moment on, which must be in the future. */
  readonly expiresAt?: number | undefined;
  /** 0 to 1: how much it matters; 0.5 is neutral. */
  readonly importance?: number | undefined;
  /** Ranks above others that fit as well. */
  readonly pinned?: boolean | undefined;
}

/** An exchange as it is remembered. */
export interface MemoryEpisode {
  readonly id: string;
  /** "" where only what went out is kept. */
  readonly input: string;
  /** "" where only what came in is kept. */
  readonly output: string;
  readonly transcript?: readonly TranscriptMessage[];
  /** Milliseconds. */
  readonly occurredAt: number;
  /** When it was first stored, in milliseconds. */
  readonly recordedAt: number;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly metadata?: Metadata;
  readonly expiresAt?: number;
  /** 0 to 1, where it was given. */
  readonly importance?: number;
  readonly pinned?: true;
}

/** A span of time, half-open: from its beginning on and before its end, in milliseconds. */
export interface TimeRange {
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

export interface RecallEpisodesOptions {
  /** Episodes at most, 1 to 100. Default 5. */
  readonly limit?: number | undefined;
  /** Only what occurred in it. */
  readonly timeRange?: TimeRange | undefined;
  /** Further conditions. */
  readonly where?: Pick<GrainConditions, "sessionIds" | "agentIds" | "filter"> | undefined;
  /** When it is asked, which "last week" refers to; in milliseconds. Default now. */
  readonly askedAt?: number | undefined;
  /** Where it is asked: an IANA name or an offset. Default "UTC". */
  readonly zone?: string | undefined;
  /** Told when something does not work as it could, so that less may be found. */
  readonly onDegraded?: ((degraded: readonly FluxDegradation[]) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RecallScoredOptions extends RecallEpisodesOptions {
  /**
   * 0 to 1, continuously: 0 for words alone, 1 for vectors alone; as that of `Flux`. Default 0.5, as in `recall`.
   */
  readonly alpha?: number | undefined;
}

/** An episode that was found, and why. */
export interface EpisodeMatch {
  readonly episode: MemoryEpisode;
  /** The higher the better; 1 where a blank query asked for the newest. */
  readonly score: number;
  /** All reasons, the strongest first; they add up to the score. None where a blank query asked for the newest, as of what follows. */
  readonly signals: readonly RecallSignal[];
  /** What the words of the query added to the score; absent where none is there. */
  readonly wordScore?: number;
  /** Cosine of the vectors of query and episode; absent where it is not among the nearest hundred. */
  readonly vectorScore?: number;
  /** The part of the episode that fits best, who stands behind it, and its life-cycle state. */
  readonly text?: string;
  readonly provenance?: RecallHit["provenance"];
  readonly status?: RecallHit["status"];
  /** What feedback refers to, with `traceId`. */
  readonly grainId?: string;
  readonly traceId?: string;
  /** Something was said later that takes its place: the id of that grain. It stands before this one. */
  readonly supersededBy?: string;
}

export interface ListEpisodesOptions {
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly timeRange?: TimeRange | undefined;
  /** Conditions on metadata. */
  readonly filter?: Filter | undefined;
  /** Newest first by default: the order in which they were stored, turned round. */
  readonly order?: "newest" | "oldest" | undefined;
  /** Episodes in the page, 1 to 1,000. Default 50. */
  readonly limit?: number | undefined;
  /** Cursor of the page before. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface EpisodePage {
  readonly items: readonly MemoryEpisode[];
  /** Where to go on; absent on the last page. */
  readonly cursor?: string;
}

/** What `update` can change of an episode. What was said stays as it was said: `remember` with its id replaces it. */
export type EpisodeChanges = Pick<RecordChanges, "metadata" | "importance" | "pinned" | "expiresAt">;

/** Single episodes. */
export interface Episodes {
  /** Undefined when there is none. */
  get(
    id: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<MemoryEpisode | undefined>;
  list(options?: ListEpisodesOptions): Promise<EpisodePage>;
  /** @throws FluxError `not_found` */
  update(id: string, changes: EpisodeChanges, options?: WriteOptions): Promise<MemoryEpisode>;
  /** Erases it for good, with all that was derived from it. @throws FluxError `not_found` */
  delete(id: string, options?: WriteOptions): Promise<ErasureReceipt>;
}

/** A message of a session, in the form in which models take it. */
export interface SessionMessage {
  readonly role: Role;
  readonly content: string;
  readonly name?: string;
  readonly toolCalls?: Json | readonly TranscriptCall[];
  readonly toolCallId?: string;
  /** The record that it is from. */
  readonly recordId: string;
  /** Milliseconds. */
  readonly saidAt: number;
}

export interface SessionMessagesOptions {
  /**
   * Messages of user and assistant at most, 1 to 1,000. Default 20. Episodes are taken whole, at least one, so the newest may bring
   * one more; the messages of tools come on top.
   */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}
