import type { Grain, GrainStatus } from "../model/grain.ts";
import type { Json } from "../model/json.ts";
import type { Role } from "../model/message.ts";
import type { Metadata } from "../model/metadata.ts";
import type { Provenance } from "../model/record.ts";
import type { Filter } from "../store/filter.ts";
import type { RecordKind } from "./read-record.ts";

/** A stored text, message or episode as a whole: the record and what its grains have in common. */
export interface MemoryRecord {
  readonly id: string;
  readonly kind: Grain["ownerKind"];
  /** What was said, word for word; of an episode, input and output, a line each where there are both. */
  readonly text: string;
  /** Of an episode: what came in, what went out, and the tool calls and results in between. */
  readonly input?: string;
  readonly output?: string;
  readonly transcript?: Json;
  readonly author?: string;
  /** Of a message. */
  readonly role?: Role;
  /** Of an episode: that of its input, or of its output where it has no other side. */
  readonly provenance: Provenance;
  readonly status: GrainStatus;
  /** When it was said or written, or happened; in milliseconds. */
  readonly saidAt: number;
  /** When it was stored, in milliseconds. */
  readonly recordedAt: number;
  /** Rises with every change of the record or its grains; `ifVersion` of `update` refers to it. */
  readonly version: number;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly metadata?: Metadata;
  readonly importance?: number;
  readonly pinned?: true;
  /** How often the same was said again. */
  readonly mentions: number;
  readonly expiresAt?: number;
  /** Its units of recall, in the order of the text. */
  readonly grainIds: readonly string[];
  /** Present when lone surrogates or NUL were replaced. */
  readonly repaired?: true;
}

export interface ListOptions {
  /** Default: all of them. */
  readonly status?: GrainStatus | undefined;
  readonly kind?: RecordKind | undefined;
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly provenance?: Provenance | undefined;
  /** Said at this moment or later, and before `until`; milliseconds. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** Conditions on metadata. */
  readonly filter?: Filter | undefined;
  /** Newest first by default: the order in which they were stored, turned round. */
  readonly order?: "newest" | "oldest" | undefined;
  /** Records in the page, 1 to 1,000. Default 50. */
  readonly limit?: number | undefined;
  /** Cursor of the page before. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RecordPage {
  readonly items: readonly MemoryRecord[];
  /** Where to go on; absent on the last page. */
  readonly cursor?: string;
}

/** What `update` can change. A property that is left out stays as it is; `null` takes an optional one away. */
export interface RecordChanges {
  /** Of a text. What was said in a conversation stays as it was said. */
  readonly text?: string | undefined;
  /** Of a text. */
  readonly provenance?: Provenance | undefined;
  readonly metadata?: Metadata | null | undefined;
  readonly importance?: number | null | undefined;
  readonly pinned?: boolean | undefined;
  readonly expiresAt?: number | null | undefined;
}
