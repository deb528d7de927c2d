import { canonicalKey } from "../facts/canonical.ts";
import { FluxError, FluxTypeError } from "../model/errors.ts";
import type { FactVersion } from "../model/fact.ts";
import { grainStatusSchema } from "../model/grain.ts";
import { checkId } from "../model/ids.ts";
import { optionNames } from "../model/options.ts";
import type { Source } from "../model/record.ts";
import { textFormSchema } from "../model/text.ts";
import { check } from "../store/records.ts";
import { type Kind, recordTables } from "../store/schema.ts";
import { checkChoice, checkKnown, checkTime } from "./check-options.ts";
import {
  type ExportedGrain,
  type FactLine,
  type LinksLine,
  type PlainKind,
  plainKinds,
  type RecordLine,
} from "./export-line.ts";
import { type CheckedRecord, checkRecord, markOf } from "./imported-line.ts";
import type { RestoredLinks, RestoredPlain } from "./restore-item.ts";
import type { Scope } from "./scope.ts";
import { statementForm, statementKey } from "./statement.ts";
import type { Draft } from "./store-items.ts";

/** What rests on other records, and has units of recall. */
interface Derived {
  readonly id: string;
  readonly sources: readonly Source[];
  readonly grains: readonly ExportedGrain[];
}

/** A line of an export of this version, as checked. */
export type RestoredLine =
  | (Derived &
      CheckedRecord & {
        readonly type: "record";
        readonly draft: Draft;
        readonly unread: boolean;
        /** Of a message or an episode: what it has in common with the same of the same moment. */
        readonly mark: string | undefined;
      })
  | (Derived & { readonly type: "fact"; readonly value: FactVersion })
  | RestoredPlain
  | RestoredLinks;

const factNames = new Set([
  ...Object.keys(recordTables.fact.schema.shape),
  "type",
  "id",
  "recordedAt",
  "sources",
  "grains",
]);
const linksNames = optionNames<LinksLine>({ type: true, kind: true, id: true, sources: true });
const sourceNames = optionNames<Source>({ kind: true, id: true, role: true, start: true, end: true });
const grainNames = optionNames<ExportedGrain>({
  ...{ id: true, start: true, end: true, status: true, mentions: true, supersededBy: true },
});

/** What a line may name at most: more is no export of this package. */
const maxNamed = 100_000;

/**
 * Checks a line of an export.
 *
 * @param line JSON that nobody else holds
 * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id`, `invalid_record`, `invalid_metadata`, `too_large`
 */
export function restoredLine(line: object, scope: Scope): RestoredLine {
  const { type } = line as { readonly type?: unknown };
  if (type === "record") return recordLine(line, scope);
  if (type === "fact") return factLine(line);
  if (type === "links") return linksLine(line);
  const kind = plainKinds.find((known) => known === type);
  if (kind !== undefined) return plainLine(kind, line);
  throw new FluxError("invalid_argument", "There is no such type of line", {
    hint: `Known: flux-memory, record, fact, links, ${plainKinds.join(", ")}.`,
  });
}

function recordLine(given: object, scope: Scope): RestoredLine {
  const { grains = [], sources = [], form = "note", unread, ...rest } = given as RecordLine;
  const id = checkId(rest.id, "id");
  checkChoice(form, "form", textFormSchema.options);
  if (form !== "note" && rest.kind !== "text")
    throw new FluxError("invalid_argument", "Only a text has a form");
  if (unread !== undefined && unread !== true)
    throw new FluxTypeError("invalid_argument", "unread must be true where it is there");
  const checked = checkRecord(rest, scope);
  const derived = { id, sources: checkSources(sources), grains: checkGrains(grains) };
  const draft = formed(checked.draft, form, derived.sources);
  return { ...checked, ...derived, draft, type: "record", unread: unread === true, mark: markOf(checked) };
}

/** A text that is no note: whoever stores a note that says the same does not mention it. */
function formed(draft: Draft, form: RecordLine["form"] & string, sources: readonly Source[]): Draft {
  const { record } = draft;
  if (record.kind !== "text" || form === "note") return draft;
  const { contentKey: _key, ...value } = record.value;
  const [source] = sources;
  const key =
    form === statementForm && source !== undefined ? { contentKey: statementKey(value.content, source) } : {};
  return { ...draft, record: { kind: "text", value: { ...value, ...key, form } } };
}

function factLine(given: object): RestoredLine {
  const line = checkKnown(given, factNames, "A line") as FactLine;
  const { type: _type, id, recordedAt, sources = [], grains = [], ...value } = line;
  if (recordedAt !== undefined) checkTime(recordedAt, "recordedAt");
  checkId(value.subject, "subject");
  if (typeof value.object !== "string")
    throw new FluxTypeError("invalid_argument", "object must be a string");
  const keys = { subjectKey: canonicalKey(value.subject), objectKey: canonicalKey(value.object) };
  // What is compared follows from what is said: nobody else decides it.
  const version = checkValue("fact", { ...value, ...keys }) as FactVersion;
  if ((version.status === "current") !== (version.retiredAt === undefined))
    throw new FluxError(
      "invalid_record",
      "fact.retiredAt: is there exactly of a version that is not current",
    );
  return {
    ...{ type: "fact", id: checkId(id, "id"), value: version },
    ...{ sources: checkSources(sources), grains: checkGrains(grains) },
  };
}

function plainLine(kind: PlainKind, given: object): RestoredLine {
  const names = new Set([...Object.keys(recordTables[kind].schema.shape), "type", "id", "recordedAt"]);
  const {
    type: _type,
    id,
    recordedAt,
    ...value
  } = checkKnown(given, names, "A line") as {
    readonly type: string;
    readonly id: string;
    readonly recordedAt?: number;
  };
  if (recordedAt !== undefined) checkTime(recordedAt, "recordedAt");
  return { type: "plain", kind, id: checkId(id, "id"), value: checkValue(kind, value) as object };
}

function checkValue(kind: Kind, value: object): unknown {
  return check(recordTables[kind].schema, value, kind);
}

function linksLine(given: object): RestoredLine {
  const { kind, id, sources } = checkKnown(given, linksNames, "A line") as LinksLine;
  checkChoice(kind, "kind", ["text", "fact", "grain"]);
  return { type: "links", kind, id: checkId(id, "id"), sources: checkSources(sources) };
}

function checkSources(sources: readonly Source[]): readonly Source[] {
  return checkList(sources, "sources").map((given): Source => {
    const source = checkKnown(given as Source, sourceNames, "A source");
    const { kind, id, role, start, end } = source;
    if (!(Object.hasOwn(recordTables, kind) && recordTables[kind as Kind].marked))
      throw new FluxError("invalid_argument", "There is no such kind of source");
    checkId(id, "source.id");
    if (role !== undefined) checkId(role, "source.role");
    checkOffset(start, "source.start");
    checkOffset(end, "source.end");
    return source;
  });
}

function checkGrains(grains: readonly ExportedGrain[]): readonly ExportedGrain[] {
  const known = new Set<string>();
  return checkList(grains, "grains").map((given): ExportedGrain => {
    const grain = checkKnown(given as ExportedGrain, grainNames, "A grain");
    const { id, start, end, status, mentions, supersededBy } = grain;
    checkId(id, "grain.id");
    if (known.has(id)) throw new FluxError("invalid_argument", "Two grains have the same id");
    known.add(id);
    checkOffset(start, "grain.start");
    checkOffset(end, "grain.end");
    checkOffset(mentions, "grain.mentions");
    if (status !== undefined) checkChoice(status, "status", grainStatusSchema.options);
    if (supersededBy !== undefined) checkId(supersededBy, "grain.supersededBy");
    return grain;
  });
}

function checkList(items: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(items)) throw new FluxTypeError("invalid_argument", `${name} must be a list`);
  if (items.length > maxNamed) throw new FluxError("too_large", `A line has at most ${maxNamed} ${name}`);
  return items;
}

function checkOffset(value: unknown, name: string): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)) return;
  throw new FluxError("invalid_argument", `${name} must be a whole number from 0`);
}
