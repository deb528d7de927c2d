/**
 * The memory of an agent: what its users said, what is known of them, and the blocks that it always has before it. Needs Node.
 *
 * @module
 */

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
