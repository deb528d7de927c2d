import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { copyJson, isPlainObject, type Json } from "../model/json.ts";
import type { Role } from "../model/message.ts";
import { copyMetadata, type Metadata } from "../model/metadata.ts";
import { type Provenance, provenanceSchema } from "../model/record.ts";
import { cutToUnits } from "../text/cut.ts";
import { checkKnown, checkString, checkTime } from "./check-options.ts";
import { contentKey } from "./content-key.ts";
import { names } from "./option-names.ts";
import type { Scope } from "./scope.ts";
import type { Draft, MessageItem, StoreItem, TextItem } from "./store-items.ts";

/** UTF-16 units of an author as a grain keeps it. */
const maxAuthor = 512;

/** Checks an item and lays out its records; what only the ledger knows to check, it checks when they are written. */
export function draftOf(item: StoreItem, scope: Scope): Draft {
  if (!isPlainObject(item))
    throw new FluxTypeError("invalid_argument", `An item must be an object, not ${describe(item)}`);
  const draft =
    "role" in item ? messageDraft(item as MessageItem, scope) : textDraft(item as TextItem, scope);
  const { at, grain } = draft;
  if (at !== undefined) checkTime(at, draft.record.kind === "text" ? "statedAt" : "saidAt");
  if (grain.expiresAt !== undefined) checkTime(grain.expiresAt, "expiresAt");
  if (grain.importance !== undefined && !(grain.importance >= 0 && grain.importance <= 1))
    throw new FluxError("invalid_argument", "importance must be a number from 0 to 1");
  if (grain.pinned !== undefined && typeof grain.pinned !== "boolean")
    throw new FluxTypeError("invalid_argument", "pinned must be a boolean");
  return draft;
}

function textDraft(item: TextItem, scope: Scope): Draft {
  const {
    text,
    provenance = "user_stated",
    author,
    statedAt,
    ...rest
  } = checkKnown(item, names.text, "A text");
  checkString(text, "text");
  if (text.trim() === "") throw new FluxError("invalid_argument", "text must not be empty");
  if (author !== undefined) checkString(author, "author");
  if (!provenanceSchema.safeParse(provenance).success) {
    throw new FluxError("invalid_argument", "There is no such provenance", {
      hint: `Known: ${provenanceSchema.options.join(", ")}.`,
    });
  }
  const labels = labelsOf(item, scope);
  const metadata = copyOf(rest.metadata);
  const { expiresAt } = rest;
  const key = contentKey(text, { provenance, ...defined({ author, agentId: labels.agentId }) });
  return {
    at: statedAt,
    record: {
      kind: "text",
      value: {
        ...{ ...labels, form: "note", content: text, contentKey: key, provenance },
        ...defined({ metadata, expiresAt }),
      },
    },
    grain: grainOf({ ...item, metadata }, { labels, provenance, author }),
  };
}

function messageDraft(item: MessageItem, scope: Scope): Draft {
  const { role, content, name, saidAt, toolCallId, expiresAt, ...rest } = checkKnown(
    item,
    names.message,
    "A message",
  );
  checkString(content, "content");
  const metadata = copyOf(rest.metadata);
  const toolCalls = rest.toolCalls === undefined ? undefined : jsonOf(rest.toolCalls, "toolCalls");
  if (name !== undefined) checkString(name, "name");
  const { sessionId, ...labels } = labelsOf(item, scope);
  if (sessionId === undefined) {
    throw new FluxError("invalid_argument", "A message belongs to a session", {
      hint: "Give a sessionId to for() or to the item.",
    });
  }
  return {
    at: saidAt,
    record: {
      kind: "message",
      value: {
        ...{ ...labels, sessionId, role, content },
        ...defined({ name, toolCalls, toolCallId, metadata, expiresAt }),
      },
    },
    grain: grainOf(
      { ...item, metadata },
      {
        labels: { ...labels, sessionId },
        provenance: provenanceOf(role),
        author: name === "" ? undefined : name,
      },
    ),
  };
}

/** A copy: what the caller does to his objects while they are embedded has no effect. */
function copyOf(metadata: Metadata | undefined): Metadata | undefined {
  if (metadata === undefined) return undefined;
  const { copy, problem } = copyMetadata(metadata);
  if (problem === undefined) return copy;
  throw new FluxError("invalid_metadata", `metadata ${problem}`);
}

function jsonOf(value: unknown, name: string): Json {
  const { copy, problem } = copyJson(value);
  if (problem === undefined) return copy;
  throw new FluxTypeError("invalid_argument", `${name} ${problem}`);
}

/** Instructions and the output of tools come from outside the conversation. */
function provenanceOf(role: Role): Provenance {
  if (role === "user") return "user_stated";
  return role === "assistant" ? "ai_stated" : "external_source";
}

function labelsOf(
  { sessionId }: StoreItem,
  scope: Scope,
): { readonly sessionId?: string; readonly agentId?: string } {
  return defined({ sessionId: sessionId ?? scope.sessionId, agentId: scope.agentId });
}

function grainOf(
  { metadata, expiresAt, importance, pinned }: StoreItem,
  {
    labels,
    provenance,
    author,
  }: {
    readonly labels: { readonly sessionId?: string; readonly agentId?: string };
    readonly provenance: Provenance;
    readonly author: string | undefined;
  },
): Draft["grain"] {
  const shown = author === undefined ? undefined : cutToUnits(author, maxAuthor);
  return { ...labels, provenance, ...defined({ author: shown, metadata, expiresAt, importance, pinned }) };
}

/** The properties that are there. */
function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as never;
}
