import { FluxError, FluxTypeError } from "../model/errors.ts";
import { grainStatusSchema } from "../model/grain.ts";
import { base32, digest } from "../model/hash.ts";
import { checkId } from "../model/ids.ts";
import { canonicalJson, copyJson } from "../model/json.ts";
import { roleSchema } from "../model/message.ts";
import { checkChoice, checkKnown, checkString, checkTime } from "./check-options.ts";
import { metadataOf } from "./copy-item.ts";
import { defined, draftOf } from "./draft.ts";
import { exportVersion } from "./export-lines.ts";
import type { ExportLine } from "./flux-memory.ts";
import { names } from "./option-names.ts";
import { recordKinds } from "./read-record.ts";
import type { Scope } from "./scope.ts";
import type { Draft, StoreItem } from "./store-items.ts";
import type { Restored } from "./store-plan.ts";

type Header = Extract<ExportLine, { readonly type: "flux-memory" }>;
type RecordLine = Extract<ExportLine, { readonly type: "record" }>;

export interface ImportedLine {
  readonly draft: Draft;
  readonly restored: Restored;
  /** Tells the line from others. */
  readonly digest: string;
}

/**
 * Checks a line of an export and lays out its records; undefined for a header.
 *
 * @param seen how often each message and episode has been in the import, which this line is added to
 * @throws FluxTypeError or FluxError as `storeBatch`
 */
export function importedLine(
  given: unknown,
  {
    first,
    scope,
    seen,
  }: { readonly first: boolean; readonly scope: Scope; readonly seen: Map<string, number> },
): ImportedLine | undefined {
  const { copy, problem } = copyJson(given);
  if (problem !== undefined) throw new FluxTypeError("invalid_argument", `It ${problem}`);
  const { type } = Object(copy) as { readonly type?: unknown };
  if (type === "flux-memory") return checkHeader(copy as Header);
  if (first) {
    throw new FluxError("invalid_argument", "This is no export of a memory: it has no header", {
      hint: 'The first line of an export is {"type":"flux-memory","version":1,…}.',
    });
  }
  const line = checkLine(copy as object);
  const { status, mentions, sessionId, agentId } = line;
  const draft = draftOf(itemOf(line), { ...scope, sessionId, agentId });
  const mark = base32(digest(canonicalJson(copy)).subarray(0, 16));
  return { draft, restored: { status, mentions, nth: nthOf(line, seen) }, digest: mark };
}

function checkHeader({ version }: Header): undefined {
  if (version === exportVersion) return;
  if (Number.isSafeInteger(version) && version > exportVersion) {
    throw new FluxError("outdated", "A newer version of flux-memory is needed to import this", {
      hint: `The export has version ${version}, this version of flux-memory reads ${exportVersion}: upgrade it.`,
    });
  }
  throw new FluxError("invalid_argument", "The header has no version");
}

function checkLine(given: object): RecordLine {
  const line = checkKnown(given, names.line, "A line") as RecordLine;
  const { type, kind, text, role, status, mentions, saidAt, metadata, repaired, id } = line;
  checkChoice(type, "type of line", ["flux-memory", "record"]);
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

function itemOf(line: RecordLine): StoreItem {
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

function nthOf(
  { kind, sessionId, agentId, role, author, text, input, output, saidAt }: RecordLine,
  seen: Map<string, number>,
): number {
  if (kind === "text") return 1;
  const labels = JSON.stringify([kind, saidAt, sessionId, agentId, role, author, input, output]);
  const key = base32(digest(labels, text).subarray(0, 16));
  const nth = (seen.get(key) ?? 0) + 1;
  seen.set(key, nth);
  return nth;
}
