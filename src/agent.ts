/**
 * The memory of an agent: what its users said, what is known of them, and the blocks that it always has before it; and what a
 * run makes of it. Needs Node.
 *
 * @module
 */

export type { HistoryMessage } from "./agent/history.ts";
export {
  buildContext,
  type ContextCut,
  type ContextMemory,
  type ContextOptions,
  type ContextUse,
  type MemoryContext,
} from "./agent/memory-context.ts";
export type {
  ContextPart,
  MemoryDegradation,
  MemoryEvent,
  MemoryListener,
} from "./agent/memory-event.ts";
export {
  type RememberOutcome,
  type RememberResult,
  type RememberRunOptions,
  rememberRun,
} from "./agent/remember-run.ts";
export {
  getRunContext,
  RunContext,
  type RunContextOptions,
  type RunMetadata,
  runWithContext,
} from "./agent/run-context.ts";
export { type RunMessage, transcriptOf } from "./agent/transcript.ts";
export type {
  AgentMemory,
  AgentMemoryStatus,
  CloseMemoryOptions,
  EmbedderOrigin,
  FlushOptions,
  FlushReport,
  ForgetFilter,
  ForgetReceipt,
  MemoryProfile,
  RecallFactsOptions,
  ScopedMemory,
} from "./memory/agent-memory.ts";
export type {
  AppendBlockOptions,
  Blocks,
  MemoryBlock,
  PinBlockOptions,
  UpdateBlockOptions,
} from "./memory/blocks.ts";
export type {
  EpisodeChanges,
  EpisodeMatch,
  EpisodePage,
  Episodes,
  ListEpisodesOptions,
  MemoryEpisode,
  NewEpisode,
  RecallEpisodesOptions,
  RecallScoredOptions,
  SessionMessage,
  SessionMessagesOptions,
  StoreSides,
  TimeRange,
  TranscriptCall,
  TranscriptMessage,
} from "./memory/episodes.ts";
export type { MemoryLogger } from "./memory/logger.ts";
export { type MemoryChoice, resolveMemory } from "./memory/resolve.ts";
export type { MemoryOptions, MemorySpec } from "./memory/spec.ts";
