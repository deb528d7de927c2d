import type { EmbedderChoice } from "../embed/resolve.ts";
import type { LanguageModelChoice } from "../language/model.ts";
import type { Clock } from "../model/clock.ts";
import type { Randomness } from "../model/ids.ts";
import { optionNames } from "../model/options.ts";
import type { Provenance } from "../model/record.ts";
import type { Ledger } from "../store/ledger.ts";
import type { StoreSides } from "./episodes.ts";
import type { MemoryLogger } from "./logger.ts";

/** What a memory does, whatever store it is on. */
export interface MemoryOptions {
  /** Namespace of handles that name none. Default "default". */
  readonly namespace?: string | undefined;
  /**
   * Makes the vectors: an embedder, an embedding model, or a name such as "hash", "static", "openai-small" or "openai-large"; `false`
   * for none. Chosen when a store is created: afterwards the one that is recorded in it is used. Default: what FLUX_EMBEDDER or
   * LOOMFLOW_EMBEDDER names, text-embedding-3-small where there is an OPENAI_API_KEY, else "static", the word table of this package.
   */
  readonly embedder?: EmbedderChoice | false | undefined;
  /** `false` for a memory without facts: none are extracted, and `recallFacts` finds none. Default true. */
  readonly withFacts?: boolean | undefined;
  /** Whether facts are extracted from what is remembered, in the background: by rules, and by `model` as well. Default true. */
  readonly autoExtract?: boolean | undefined;
  /** Extracts as well as the rules do: a model of the AI SDK, or a name such as "ollama/llama3.1:8b". A small one will do. Default none. */
  readonly model?: LanguageModelChoice | false | undefined;
  /** Whose words may become facts, by provenance. Default `["user_stated"]`. */
  readonly extractFrom?: readonly Provenance[] | undefined;
  /** Which side of an exchange is kept. Default "both". */
  readonly storeSides?: StoreSides | undefined;
  /** UTF-8 bytes that are kept of each content and each arguments of a tool transcript; 0 for no limit. Default 50,000. */
  readonly transcriptMaxBytes?: number | undefined;
  /** Told in one line what was chosen when a store is created; `false` for nobody. Default: standard error. */
  readonly logger?: MemoryLogger | false | undefined;
  /** Default: the system's clock. */
  readonly clock?: Clock | undefined;
  /** Random bytes for ids and leases. Default: the platform's secure source. */
  readonly randomness?: Randomness | undefined;
}

/** Where a memory is kept, in the form of an object. */
export interface MemorySpec extends MemoryOptions {
  /** "inmemory", "sqlite" or "postgres" ("postgresql"). */
  readonly backend?: string | undefined;
  /** Another name of `backend`. */
  readonly type?: string | undefined;
  /** Of sqlite: the file. Default: a database in memory. */
  readonly path?: string | undefined;
  /** Of postgres: `postgres://user:password@host:port/database`. Of sqlite: another name of `path`. */
  readonly url?: string | undefined;
  /** Of postgres: another name of `url`. */
  readonly dsn?: string | undefined;
  /** A ledger instead of a backend; it stays yours to close. */
  readonly store?: Ledger | undefined;
}

/** The properties of `MemoryOptions`. */
export const memoryOptions = {
  namespace: true,
  embedder: true,
  withFacts: true,
  autoExtract: true,
  model: true,
  extractFrom: true,
  storeSides: true,
  transcriptMaxBytes: true,
  logger: true,
  clock: true,
  randomness: true,
} as const;

export const specNames = optionNames<MemorySpec>({
  ...{ backend: true, type: true, path: true, url: true, dsn: true, store: true },
  ...memoryOptions,
});
