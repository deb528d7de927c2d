import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { copyJson, isPlainObject, type Json } from "../model/json.ts";
import { copyMetadata, type Metadata } from "../model/metadata.ts";
import type { EpisodeItem, MessageItem, StoreItem } from "./store-items.ts";

/**
 * A copy of an item, each property read once: what a getter says at a second look, or the caller does to his objects while
 * they are embedded, has no effect.
 *
 * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_metadata`
 */
export function copyItem(item: StoreItem): StoreItem {
  if (!isPlainObject(item))
    throw new FluxTypeError("invalid_argument", `An item must be an object, not ${describe(item)}`);
  const { role, metadata, toolCalls, transcript, ...rest } = item as Partial<MessageItem & EpisodeItem>;
  return {
    ...rest,
    ...(role === undefined ? {} : { role }),
    ...(metadata === undefined ? {} : { metadata: metadataOf(metadata) }),
    ...(toolCalls === undefined ? {} : { toolCalls: jsonOf(toolCalls, "toolCalls") }),
    ...(transcript === undefined ? {} : { transcript: jsonOf(transcript, "transcript") }),
  } as StoreItem;
}

/** @throws FluxError `invalid_metadata` */
export function metadataOf(metadata: Metadata): Metadata {
  const { copy, problem } = copyMetadata(metadata);
  if (problem === undefined) return copy;
  throw new FluxError("invalid_metadata", `metadata ${problem}`);
}

function jsonOf(value: unknown, name: string): Json {
  const { copy, problem } = copyJson(value);
  if (problem === undefined) return copy;
  throw new FluxTypeError("invalid_argument", `${name} ${problem}`);
}
