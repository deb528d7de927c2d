import { FluxError } from "../model/errors.ts";
import { checkId } from "../model/ids.ts";
import type { Role } from "../model/message.ts";
import { type Provenance, provenanceSchema } from "../model/record.ts";
import { cutToUnits } from "../text/cut.ts";
import {
  checkBoolean,
  checkChoice,
  checkKnown,
  checkShare,
  checkString,
  checkTime,
} from "./check-options.ts";
import { contentKey } from "./content-key.ts";
import { names } from "./option-names.ts";
import type { Scope } from "./scope.ts";
import {
  type Draft,
  type EpisodeItem,
  isEpisode,
  type MessageItem,
  type StoreItem,
  type TextItem,
} from "./store-items.ts";

/** UTF-16 units of an author as a grain keeps it. */
const maxAuthor = 512;

/**
 * Checks a copy of an item and lays out its records; what only the ledger knows to check, it checks when they are written.
 */
export function draftOf(item: StoreItem, scope: Scope): Draft {
  const draft = anyDraft(item, scope);
  const { at, grain, record } = draft;
  if (at !== undefined) checkTime(at, timeOf[record.kind]);
  if (grain.expiresAt !== undefined) checkTime(grain.expiresAt, "expiresAt");
  if (grain.importance !== undefined) checkShare(grain.importance, "importance");
  if (grain.pinned !== undefined) checkBoolean(grain.pinned, "pinned");
  return draft;
}

/** What the time of each kind is called. */
export const timeOf = { text: "statedAt", message: "saidAt", episode: "occurredAt" } as const;

function anyDraft(item: StoreItem, scope: Scope): Draft {
  if ("role" in item) return messageDraft(item, scope);
  return isEpisode(item) ? episodeDraft(item, scope) : textDraft(item, scope);
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
  checkChoice(provenance, "provenance", provenanceSchema.options);
  const labels = labelsOf(item, scope);
  const { metadata, expiresAt } = rest;
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
    grain: grainOf(item, { labels, provenance, author }),
  };
}

function messageDraft(item: MessageItem, scope: Scope): Draft {
  const { role, content, name, saidAt, toolCalls, toolCallId, metadata, expiresAt } = checkKnown(
    item,
    names.message,
    "A message",
  );
  checkString(content, "content");
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
    grain: grainOf(item, {
      labels: { ...labels, sessionId },
      provenance: provenanceOf(role),
      author: name === "" ? undefined : name,
    }),
  };
}

function episodeDraft(item: EpisodeItem, scope: Scope): Draft {
  const { id, input, output, transcript, occurredAt, metadata, expiresAt } = checkKnown(
    item,
    names.episode,
    "An episode",
  );
  checkString(input, "input", "An episode has both sides; one of them may be empty.");
  checkString(output, "output", "An episode has both sides; one of them may be empty.");
  if (id !== undefined) checkId(id, "id");
  if (input.trim() === "" && output.trim() === "" && transcript === undefined) {
    throw new FluxError("invalid_argument", "An episode without input, output and transcript says nothing");
  }
  const labels = labelsOf(item, scope);
  return {
    at: occurredAt,
    record: {
      kind: "episode",
      value: { ...labels, input, output, ...defined({ transcript, metadata, expiresAt }) },
      dated: occurredAt !== undefined,
      ...defined({ id }),
    },
    grain: grainOf(item, { labels, provenance: provenanceOfSides({ input }), author: undefined }),
  };
}

/** Who stands behind an episode as a whole: the user, unless only what was answered is kept. */
export function provenanceOfSides({ input }: Pick<EpisodeItem, "input">): Provenance {
  return provenanceOf(input.trim() === "" ? "assistant" : "user");
}

/** Instructions and the output of tools come from outside the conversation. */
export function provenanceOf(role: Role): Provenance {
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

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The properties that are there. */
export function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<T>;
}
