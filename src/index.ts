/**
 * Flux Memory: memory for AI agents. This entry runs anywhere; adapters are loaded when a URL asks for them.
 *
 * @module
 */

export type { Embedder, EmbedOptions, RelatedWord } from "./embed/embedder.ts";
export { HashEmbedder, type HashEmbedderOptions } from "./embed/hash-embedder.ts";
export type { ModelCallOptions } from "./embed/models/model-embedder.ts";
export { OpenAIEmbedder, type OpenAIEmbedderOptions } from "./embed/models/openai-embedder.ts";
export type { OpenAIClient } from "./embed/models/openai-model.ts";
export type { EmbedderChoice } from "./embed/resolve.ts";
export { ShingleHashEmbedder } from "./embed/shingle-hash-embedder.ts";
export type { Cardinality, Claim, ClaimChange } from "./facts/claim.ts";
export type { ClaimResult } from "./facts/claim-result.ts";
export type { Entity, EntityDetails } from "./facts/entities.ts";
export type { EntityType } from "./facts/entity-types.ts";
export type { Fact } from "./facts/fact.ts";
export type {
  FactChanges,
  FactConditions,
  FactCountOptions,
  FactDegradation,
  FactGraphOptions,
  FactGraphResult,
  FactHit,
  FactPage,
  FactQuery,
  FactRecall,
  FactRecallOptions,
  FactRetractOptions,
  Facts,
  FactTimes,
  FactUpdateOptions,
  FactWriteOptions,
} from "./facts/facts.ts";
export type { GraphDirection } from "./facts/graph.ts";
export type { Direction, Path } from "./facts/path.ts";
export type { EntityContextOptions, EntityListOptions, EntityPage } from "./flux/entity-options.ts";
export type { ExportLine } from "./flux/export-line.ts";
export type { ExtractOptions, ExtractReport } from "./flux/extract-anew.ts";
export {
  type ExtractionStatus,
  Flux,
  type FluxDegradation,
  type FluxOpenOptions,
  type FluxOptions,
  type FluxRecallResult,
  type FluxStatus,
  type FluxWorkOptions,
  type MakerStatus,
  type OperatingMode,
  type PendingStatus,
  type RebuildOptions,
  type RebuildProgress,
} from "./flux/flux.ts";
export type {
  EraseScope,
  EventsOptions,
  FeedbackItem,
  FeedbackOptions,
  FeedbackResult,
  FluxEvent,
  FluxMemory,
  FluxRecallOptions,
  ImportOptions,
  ImportReport,
  MemoryHealth,
  PendingFeedback,
  PendingOptions,
  PurgeOptions,
  PurgeReceipt,
  ServedMemory,
  StoreOptions,
  UpdateOptions,
  WriteOptions,
} from "./flux/flux-memory.ts";
export type { ListOptions, MemoryRecord, RecordChanges, RecordPage } from "./flux/memory-record.ts";
export type { RecordKind } from "./flux/read-record.ts";
export type { ScopeOptions } from "./flux/scope.ts";
export type {
  EpisodeItem,
  MessageItem,
  StoreItem,
  StoreResult,
  TextItem,
  TextOptions,
} from "./flux/store-items.ts";
export type {
  LanguageModel,
  LanguageModelCall,
  LanguageModelChoice,
  LanguageModelSettings,
  ModelUsage,
  PlannedCall,
} from "./language/model.ts";
export { VectorMemory, type VectorMemoryOptions } from "./memory/vector-memory.ts";
export type { Block } from "./model/block.ts";
export type { Change, ChangeOperation } from "./model/change.ts";
export { type Clock, systemClock } from "./model/clock.ts";
export type { Conduit } from "./model/conduit.ts";
export type { Episode } from "./model/episode.ts";
export {
  type ErrorCode,
  type ErrorDetails,
  errorCodes,
  FluxError,
  type FluxErrorJson,
  type FluxErrorOptions,
  FluxTypeError,
} from "./model/errors.ts";
export type { Evidence, FactVersion, Retirement, WorldTime } from "./model/fact.ts";
export type { FailureCause } from "./model/failure.ts";
export type { Feedback } from "./model/feedback.ts";
export type { Grain, GrainStatus } from "./model/grain.ts";
export { maxIdBytes, type Randomness, randomId, recordId, systemRandomness } from "./model/ids.ts";
export { type Job, type JobState, maxJobPayloadBytes, type NewJob } from "./model/job.ts";
export type { Json } from "./model/json.ts";
export type { Message, Role } from "./model/message.ts";
export { type Metadata, type MetadataValue, metadataLimits } from "./model/metadata.ts";
export { defaultNamespace, type Partition, partition, partitionKey } from "./model/partition.ts";
export type { Provenance, Ref, Source, Stamp, Stored } from "./model/record.ts";
export type { StoredText, TextForm } from "./model/text.ts";
export type { Trace } from "./model/trace.ts";
export type { KeyedValue } from "./model/value.ts";
export type { RecallOptions } from "./recall/options.ts";
export { renderMemories } from "./recall/render.ts";
export type { Reranker } from "./recall/reranker.ts";
export type { Degradation, RecallHit, RecallResult, RecallTimings } from "./recall/result.ts";
export type { RecallSignal } from "./recall/score.ts";
export {
  type Insert,
  insert,
  type Mutation,
  type Patch,
  patch,
  type RemovableKind,
  type Remove,
  remove,
} from "./store/batch.ts";
export { type Append, maxResultBytes } from "./store/commit.ts";
export { deriveQueue } from "./store/derive-jobs.ts";
export type { CallOptions, IndexRange, IndexValue } from "./store/driver.ts";
export type { LedgerOptions } from "./store/engine.ts";
export type {
  ErasureReceipt,
  ErasureReport,
  ErasureScope,
  Purge,
  PurgeScope,
  UndoReceipt,
} from "./store/erasures.ts";
export type { Condition, Filter, Scalar } from "./store/filter.ts";
export { type FollowOptions, followChanges } from "./store/follow.ts";
export type {
  Capabilities,
  Changes,
  ClaimedJob,
  JobCount,
  JobLease,
  Jobs,
  Ledger,
  MaintenanceReport,
  PartitionHead,
  PartitionPolicy,
  Receipt,
  UpdateCall,
} from "./store/ledger.ts";
export { inMemoryLedger } from "./store/memory/ledger.ts";
export {
  type AnyPlan,
  type Decision,
  definePlan,
  type Plan,
  type PlanContext,
  type PlanInput,
  type PlanResult,
} from "./store/plan.ts";
export {
  around,
  type DerivedOp,
  derivedFrom,
  type FindOp,
  type FindOptions,
  find,
  type GetOp,
  get,
  type HeadOp,
  head,
  match,
  nearest,
  type Page,
  type ReadOp,
  type ReadResults,
  type SourcesOp,
  sourcesOf,
} from "./store/read.ts";
export { maxRecordBytes } from "./store/records.ts";
export { ledgerUrls, openLedger } from "./store/resolve.ts";
export type { Kind, Kinds } from "./store/schema.ts";
export type {
  AroundOp,
  GrainConditions,
  GrainEntries,
  IndexEntry,
  Matches,
  MatchOp,
  NearestOp,
  Neighbours,
  Space,
  Spaces,
  Surroundings,
} from "./store/search.ts";
export { type JobHandler, type WorkOptions, work } from "./store/work.ts";
export type { Analyser } from "./text/analyser.ts";
export type { Token } from "./text/token.ts";
export type { TokenCounter } from "./text/token-counter.ts";
