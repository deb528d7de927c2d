import { FluxError, FluxTypeError } from "../model/errors.ts";
import { type GrainStatus, grainStatusSchema } from "../model/grain.ts";
import { base32, digest } from "../model/hash.ts";
import { checkId } from "../model/ids.ts";
import { roleSchema } from "../model/message.ts";
import { optionNames } from "../model/options.ts";
import { utf8Length } from "../model/unicode.ts";
import { ownerText } from "../recall/owner-text.ts";
import { maxRecordBytes } from "../store/records.ts";
import { checkChoice, checkKnown, checkString, checkTime } from "./check-options.ts";
import { metadataOf } from "./copy-item.ts";
import { defined, draftOf } from "./draft.ts";
import type { RecordLine } from "./export-line.ts";
import { recordKinds } from "./read-record.ts";
import type { Scope } from "./scope.ts";
import type { Draft, StoreItem } from "./store-items.ts";

/** Lines of a version 1 have neither ids to be kept nor what was derived. */
type PlainRecordLine = Omit<RecordLine, "form" | "sources" | "grains" | "unread">;

const lineNames = optionNames<PlainRecordLine>({
  ...{ type: true, id: true, kind: true, text: true, author: true, role: true, provenance: true },
  ...{ input: true, output: true, transcript: true, status: true, saidAt: true, recordedAt: true },
  ...{ version: true, sessionId: true, agentId: true, metadata: true, importance: true, pinned: true },
  ...{ mentions: true, expiresAt: true, grainIds: true, repaired: true, toolCalls: true, toolCallId: true },
});

/** What a line of a record says of it, as checked. */
export interface CheckedRecord {
  readonly line: PlainRecordLine;
  readonly draft: Draft;
  readonly status: GrainStatus;
  readonly mentions: number;
}

/**
 * Checks a line of a record and lays out its records.
 *
 * @throws FluxTypeError or FluxError as `storeBatch`
 */
export function checkRecord(given: object, scope: Scope): CheckedRecord {
  const line = checkLine(given);
  const { status, mentions, sessionId, agentId } = line;
  const draft = draftOf(itemOf(line), { ...scope, sessionId, agentId });
  const { record } = draft;
  // Here already, where the line can be named.
  if (utf8Length(ownerText(record.kind, record.value)) > maxRecordBytes)
    throw new FluxError("too_large", `A record has at most ${maxRecordBytes} bytes of text`);
  return { line, draft, status, mentions };
}

/** What messages and episodes have in common that say the same at the same moment; undefined for a text. */
export function markOf({ line }: CheckedRecord): string | undefined {
  const { kind, saidAt, sessionId, agentId, role, author, text, input, output } = line;
  if (kind === "text") return undefined;
  const labels = JSON.stringify([kind, saidAt, sessionId, agentId, role, author, input, output]);
  return base32(digest(labels, text).subarray(0, 16));
}

function checkLine(given: object): PlainRecordLine {
  const line = checkKnown(given, lineNames, "A line") as PlainRecordLine;
  const { type, kind, text, role, status, mentions, saidAt, metadata, repaired, id } = line;
  checkChoice(type, "type of line", ["record"]);
  checkChoice(kind, "kind", recordKinds);
  checkString(text, "text");
  if (kind === "message") checkChoice(role, "role", roleSchema.options);
  checkChoice(status, "status", grainStatusSchema.options);
  if (!(Number.isSafeInteger(mentions) && mentions >= 0))
    throw new FluxError("invalid_argument", "mentions must be a whole number from 0");
  checkTime(saidAt, "saidAt");
  if (line.sessionId !== undefined) checkId(line.sessionId, "sessionId");
  if (line.agentId !== undefined) checkId(line.agentId, "agentId");
  if (line.toolCallId !== undefined) checkId(line.toolCallId, "toolCallId");
  if (id !== undefined) checkId(id, "id");
  if (repaired !== undefined && repaired !== true)
    throw new FluxTypeError("invalid_argument", "repaired must be true where it is there");
  if (metadata !== undefined) metadataOf(metadata);
  return line;
}

function itemOf(line: PlainRecordLine): StoreItem {
  const { kind, text, author, role, provenance, saidAt, toolCalls, toolCallId } = line;
  const { metadata, importance, pinned, expiresAt, input, output, transcript } = line;
  const common = defined({ metadata, importance, pinned, expiresAt });
  // Checked with the item. Its text is its sides.
  if (kind === "episode")
    return { ...common, input, output, occurredAt: saidAt, ...defined({ transcript }) } as StoreItem;
  if (kind === "text") return { ...common, text, provenance, statedAt: saidAt, ...defined({ author }) };
  const said = { role, content: text, saidAt, ...defined({ name: author, toolCalls, toolCallId }) };
  return { ...common, ...said } as StoreItem;
}
