import { optionNames } from "../model/options.ts";
import type { CallOptions } from "../store/driver.ts";
import type { ExtractOptions } from "./extract-anew.ts";
import type { FluxOptions, FluxWorkOptions, RebuildOptions } from "./flux.ts";
import type {
  EventsOptions,
  FeedbackItem,
  FeedbackOptions,
  FluxRecallOptions,
  ImportOptions,
  PendingOptions,
  PurgeOptions,
  StoreOptions,
  UpdateOptions,
  WriteOptions,
} from "./flux-memory.ts";
import type { ListOptions, RecordChanges } from "./memory-record.ts";
import { scopeNames } from "./scope-names.ts";
import type { EpisodeItem, MessageItem, TextItem } from "./store-items.ts";

const item = { sessionId: true, metadata: true, expiresAt: true, importance: true, pinned: true } as const;
const said = { ...item, provenance: true, author: true, statedAt: true } as const;
const call = { operation: true, signal: true } as const;

/** The properties that options and items may have. */
export const names = {
  open: optionNames<FluxOptions>({
    ...{ embedder: true, analyser: true, languageModel: true, reranker: true, tokenCounter: true },
    ...{ clock: true, randomness: true, traceRetention: true, modelTimeout: true },
    ...{ autoExtract: true, extractFrom: true },
  }),
  scope: scopeNames,
  text: optionNames<TextItem>({ ...said, text: true }),
  message: optionNames<MessageItem>({
    ...item,
    ...{ role: true, content: true, name: true, saidAt: true, toolCalls: true, toolCallId: true },
  }),
  episode: optionNames<EpisodeItem>({
    ...item,
    ...{ id: true, input: true, output: true, transcript: true, occurredAt: true },
  }),
  store: optionNames<StoreOptions>({ ...said, ...call }),
  write: optionNames<WriteOptions>(call),
  call: optionNames<CallOptions>({ signal: true }),
  recall: optionNames<FluxRecallOptions>({
    ...{ k: true, minScore: true, maxTokens: true, tokenCounter: true, where: true, signal: true },
    ...{ byScore: true, alpha: true, askedAt: true, zone: true },
  }),
  changes: optionNames<RecordChanges>({
    ...{ text: true, provenance: true, metadata: true, importance: true, pinned: true, expiresAt: true },
  }),
  update: optionNames<UpdateOptions>({ ...call, ifVersion: true }),
  feedback: optionNames<FeedbackOptions>({ useful: true, ...call }),
  feedbackItem: optionNames<FeedbackItem>({ traceId: true, grainId: true, useful: true }),
  pending: optionNames<PendingOptions>({ since: true, limit: true, signal: true }),
  purge: optionNames<PurgeOptions>({ ...call, undoWindow: true }),
  import: optionNames<ImportOptions>({ operation: true, signal: true, onProgress: true }),
  extract: optionNames<ExtractOptions>({ since: true, limit: true, signal: true }),
  events: optionNames<EventsOptions>({ after: true, signal: true }),
  list: optionNames<ListOptions>({
    ...{
      status: true,
      kind: true,
      sessionId: true,
      agentId: true,
      provenance: true,
      from: true,
      until: true,
    },
    ...{ filter: true, order: true, limit: true, after: true, signal: true },
  }),
  work: optionNames<FluxWorkOptions>({ once: true, only: true, signal: true, onError: true }),
  rebuild: optionNames<RebuildOptions>({ embedder: true, analyser: true, signal: true, onProgress: true }),
};
