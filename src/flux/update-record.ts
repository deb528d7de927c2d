import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import type { Json } from "../model/json.ts";
import { provenanceSchema } from "../model/record.ts";
import { utf8Length } from "../model/unicode.ts";
import { ownerText } from "../recall/owner-text.ts";
import type { Patch } from "../store/batch.ts";
import { maxRecordBytes } from "../store/records.ts";
import type { ChangedPiece } from "./change-plan.ts";
import { type Change, changeRecord } from "./change-record.ts";
import {
  checkBoolean,
  checkChoice,
  checkKnown,
  checkShare,
  checkString,
  checkTime,
} from "./check-options.ts";
import { contentKey } from "./content-key.ts";
import { metadataOf } from "./copy-item.ts";
import { readersOf } from "./extract-gate.ts";
import type { ExtractSource } from "./extract-queue.ts";
import type { UpdateOptions } from "./flux-memory.ts";
import { captionOf, indexedText } from "./indexed-text.ts";
import type { MemoryRecord, RecordChanges } from "./memory-record.ts";
import type { FluxParts } from "./open-flux.ts";
import { names } from "./option-names.ts";
import { splitPieces } from "./pieces.ts";
import type { Held } from "./read-record.ts";
import type { Scope } from "./scope.ts";

/** Changes what is known of a record, and the text of a stored text. */
export function updateRecord(
  parts: FluxParts,
  scope: Scope,
  id: string,
  given: RecordChanges,
  options: UpdateOptions,
): Promise<MemoryRecord> {
  const changes = checkChanges(given);
  const { ifVersion, signal } = options;
  if (ifVersion !== undefined && !Number.isSafeInteger(ifVersion))
    throw new FluxTypeError(
      "invalid_argument",
      `ifVersion must be a whole number, not ${describe(ifVersion)}`,
    );
  return changeRecord(
    parts,
    scope,
    {
      id,
      request: ["update", id, changes as Json],
      prepare: (held) => changeOf(parts, held, changes, signal),
    },
    options,
  );
}

function checkChanges(given: RecordChanges): RecordChanges {
  const { metadata, ...rest } = checkKnown(given, names.changes, "changes");
  const changes = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const { text, provenance, importance, pinned, expiresAt }: RecordChanges = changes;
  if (text !== undefined && checkString(text, "text").trim() === "")
    throw new FluxError("invalid_argument", "text must not be empty", { hint: "Erase or purge it instead." });
  if (text !== undefined && utf8Length(text) > maxRecordBytes)
    throw new FluxError("too_large", `A text has at most ${maxRecordBytes} bytes`);
  if (provenance !== undefined) checkChoice(provenance, "provenance", provenanceSchema.options);
  if (importance !== undefined && importance !== null) checkShare(importance, "importance");
  if (pinned !== undefined) checkBoolean(pinned, "pinned");
  if (expiresAt !== undefined && expiresAt !== null) checkTime(expiresAt, "expiresAt");
  const copied = metadata === undefined || metadata === null ? metadata : metadataOf(metadata);
  const all = { ...changes, ...(copied === undefined ? {} : { metadata: copied }) };
  if (Object.keys(all).length === 0) {
    throw new FluxError("invalid_argument", "There is nothing to change", {
      hint: `What can change: ${[...names.changes].join(", ")}.`,
    });
  }
  return all;
}

async function changeOf(
  parts: FluxParts,
  held: Held,
  changes: RecordChanges,
  signal: AbortSignal | undefined,
): Promise<Change> {
  const { text, provenance, importance, pinned } = changes;
  if (held.kind !== "text" && (text !== undefined || provenance !== undefined)) {
    throw new FluxError("invalid_argument", "What was said in a conversation stays as it was said", {
      hint: "Store a text that corrects it, or erase it. Its metadata, importance, pinned and expiresAt can change.",
    });
  }
  const common = {
    ...("metadata" in changes ? { metadata: changes.metadata ?? undefined } : {}),
    ...("expiresAt" in changes ? { expiresAt: changes.expiresAt ?? undefined } : {}),
    ...(provenance === undefined ? {} : { provenance }),
  };
  const grain: Patch<"grain">["value"] = {
    ...common,
    ...(importance === undefined ? {} : { importance: importance ?? undefined }),
    ...(pinned === undefined ? {} : { pinned: pinned || undefined }),
  };
  return {
    ...(text === undefined ? {} : { restated: true, extract: extractOf(parts, held, changes) }),
    owner: { ...common, ...contentOf(held, changes) },
    grain,
    ...(await piecesOf(parts, held, changes, signal)),
  };
}

/** The text as it is to be, and the key by which it is known again. */
function contentOf(held: Held, { text, provenance }: RecordChanges): Patch<"text">["value"] {
  if (held.kind !== "text" || (text === undefined && provenance === undefined)) return {};
  const { content, agentId, form, provenance: present } = held.owner;
  // Derived texts have keys of their own kind, and are no notes that somebody stored.
  if (form !== "note") return text === undefined ? {} : { content: text };
  const author = held.grains[0]?.author;
  const labels = {
    provenance: provenance ?? present,
    ...(author === undefined ? {} : { author }),
    ...(agentId === undefined ? {} : { agentId }),
  };
  const key = contentKey(text ?? content, labels);
  return { ...(text === undefined ? {} : { content: text }), contentKey: key };
}

/** What the index is to hold, where it has to change: of a text that is another, or under a caption that is. */
async function piecesOf(
  { indexes }: FluxParts,
  held: Held,
  { text, metadata }: RecordChanges,
  signal: AbortSignal | undefined,
): Promise<Pick<Change, "pieces" | "spaces">> {
  const { kind, owner, grains } = held;
  const shown = metadata === undefined ? owner.metadata : (metadata ?? undefined);
  const captioned = metadata !== undefined && captionOf(shown) !== captionOf(owner.metadata);
  if (text === undefined && !(captioned && grains.length > 0)) return {};
  const content = text ?? ownerText(kind, owner);
  const spans = text === undefined ? grains.map(spanOf) : spansOf(text);
  // The caption stands with the first piece alone.
  const made = text === undefined ? spans.slice(0, 1) : spans;
  const { author, saidAt } = grains[0] ?? { author: undefined, saidAt: owner.recordedAt };
  const texts = made.map((span) => indexedText({ author, saidAt, metadata: shown, ...span }, content));
  const { entries, missing, spaces } = await indexes.make(texts, signal);
  const pieces = spans.map((span, i): ChangedPiece => {
    if (i >= made.length) return { span };
    return { span, made: { entries: entries[i] ?? [], missing: missing[i] ?? [] } };
  });
  return { pieces, spaces };
}

function spansOf(text: string): ChangedPiece["span"][] {
  const spans = splitPieces(text);
  return spans.length === 1 ? [undefined] : spans;
}

function spanOf({ start, end }: Held["grains"][number]): ChangedPiece["span"] {
  return start === undefined || end === undefined ? undefined : { start, end };
}

/** The text itself, if something is derived from it. */
function extractOf(parts: FluxParts, held: Held, changes: RecordChanges): ExtractSource[] {
  const { text = "", provenance = held.grains[0]?.provenance } = changes;
  if (held.kind !== "text" || provenance === undefined) return [];
  const { kind, owner } = held;
  const draft = {
    at: undefined,
    record: { kind, value: { ...owner, content: text } },
    grain: { provenance },
  };
  const queues = readersOf(parts, draft);
  if (queues.length === 0) return [];
  const { id, sessionId, agentId } = owner;
  return [{ kind, id, units: text.length, sessionId, agentId, queues }];
}
