import type { Episode } from "../model/episode.ts";
import type { Grain } from "../model/grain.ts";
import type { Json } from "../model/json.ts";
import type { Message, Role } from "../model/message.ts";
import type { Metadata } from "../model/metadata.ts";
import type { Provenance } from "../model/record.ts";
import type { StoredText } from "../model/text.ts";
import type { FluxDegradation } from "./flux.ts";

/** What stored texts, messages and episodes have in common. */
interface ItemOptions {
  /** The session it belongs to. Default: that of the handle. */
  readonly sessionId?: string | undefined;
  /**
   * Flat data of your own, which recall can filter on. The words of `caption` in it, as of a picture that goes with the text,
   * are searched like the text.
   */
  readonly metadata?: Metadata | undefined;
  /** Milliseconds; invisible from this moment on, which must be in the future. */
  readonly expiresAt?: number | undefined;
  /** 0 to 1: how much it matters; 0.5 is neutral. */
  readonly importance?: number | undefined;
  /** Ranks above others that fit as well. */
  readonly pinned?: boolean | undefined;
}

export interface TextOptions extends ItemOptions {
  /** Who stands behind it. Default `user_stated`. */
  readonly provenance?: Provenance | undefined;
  /** Who said or wrote it, as it is to be shown. */
  readonly author?: string | undefined;
  /** When it was said or written, in milliseconds. Default now. */
  readonly statedAt?: number | undefined;
}

/** A text to remember. The same text of the same author, said again, adds a mention. */
export interface TextItem extends TextOptions {
  readonly text: string;
}

/** A message of a conversation. Always kept, also when the same was said before. */
export interface MessageItem extends ItemOptions {
  readonly role: Role;
  readonly content: string;
  /** The speaker, where a role has several. */
  readonly name?: string | undefined;
  /** Milliseconds. Default now. */
  readonly saidAt?: number | undefined;
  readonly toolCalls?: Json | undefined;
  readonly toolCallId?: string | undefined;
}

/** One exchange: what came in and what went out. */
export interface EpisodeItem extends ItemOptions {
  /**
   * An id of your own, 1 to 512 bytes. Stored again with the same content it has no effect; with other content the episode is
   * replaced. Default: follows from the operation.
   */
  readonly id?: string | undefined;
  /** What the user said. Empty where only the output is kept. */
  readonly input: string;
  /** What the agent answered. Empty where only the input is kept. */
  readonly output: string;
  /** Tool calls and results in order. Kept, not searched. An empty list is kept apart from none. */
  readonly transcript?: Json | undefined;
  /** Milliseconds. Default now. */
  readonly occurredAt?: number | undefined;
}

export type StoreItem = TextItem | MessageItem | EpisodeItem;

/** Whether an item is one exchange: it has a side, where others have a text. */
export function isEpisode(item: StoreItem): item is EpisodeItem {
  return "input" in item || "output" in item;
}

/** What became of an item. */
export interface StoreResult {
  /** The record that says it: the new one, or the one that said it already. */
  readonly id: string;
  readonly kind: Grain["ownerKind"];
  /** Its units of recall in order; of a mention, the one that counts it; none without text, and of what is unchanged. */
  readonly grainIds: readonly string[];
  /**
   * Whether it was new, or the same had been stored or recalled before and this was counted as a mention. Of an episode whose id
   * is there: `unchanged` if it says the same, and else `replaced`.
   */
  readonly status: "stored" | "mentioned" | "unchanged" | "replaced";
  /** Whether recall finds it by meaning at once, or once `work` has embedded it. By its words it is found at once. */
  readonly indexed: "now" | "later";
  /** What does not work as it could: with `extractor_unavailable` it is kept as it is, and no statements are derived from it. */
  readonly degraded?: readonly FluxDegradation[];
  /**
   * Present when the operation was done before and it could not be told whether this call was the same, because something
   * was erased in the partition since.
   */
  readonly compared?: false;
}

/** A record without its time, which is the present where none is given. */
export type Undated<T, K extends keyof T> = Omit<T, K>;

/** An episode as it is to be stored. */
export interface EpisodeDraft {
  readonly kind: "episode";
  readonly value: Undated<Episode, "occurredAt">;
  /** As the caller gave it. */
  readonly id?: string | undefined;
  /** Whether the caller said when it was. */
  readonly dated: boolean;
}

/** An item as checked, cut and indexed; what the plan turns into records. */
export interface Draft {
  readonly record:
    | { readonly kind: "message"; readonly value: Undated<Message, "saidAt"> }
    | { readonly kind: "text"; readonly value: Undated<StoredText, "statedAt"> }
    | EpisodeDraft;
  /** When it was said; undefined for now. */
  readonly at: number | undefined;
  readonly grain: Undated<Grain, "ownerKind" | "ownerId" | "saidAt" | "start" | "end" | "status">;
}
