import type { Fact } from "../facts/fact.ts";
import type { FactCountOptions, FactPage, FactQuery } from "../facts/facts.ts";
import { toFact } from "../facts/to-fact.ts";
import { presentOf } from "../model/clock.ts";
import type { FactVersion } from "../model/fact.ts";
import { base32, digest } from "../model/hash.ts";
import { checkId } from "../model/ids.ts";
import { canonicalJson, type Json } from "../model/json.ts";
import type { Stored } from "../model/record.ts";
import { decodeCursor, encodeCursor } from "../store/cursor.ts";
import type { CallOptions } from "../store/driver.ts";
import { pausesOf } from "../store/pauses.ts";
import { find, get, sourcesOf } from "../store/read.ts";
import { checkChoice, checkKnown, checkLimit, checkSignal } from "./check-options.ts";
import { factNames } from "./fact-option-names.ts";
import { aliasReads, namedRows, SubjectKeys } from "./fact-reads.ts";
import { conditionsOf } from "./facts-options.ts";
import { mostVersions, readVersions, type VersionConditions } from "./facts-walk.ts";
import type { FluxParts } from "./open-flux.ts";
import { names } from "./option-names.ts";
import type { Scope } from "./scope.ts";

/** Where facts are read. */
export type FactSource = Pick<FluxParts, "ledger" | "clock"> & Pick<Scope, "partition">;

/** Versions read at a time where too few of the first ones were wanted. */
const step = 500;

/**
 * A page of the facts that fulfil the conditions. Reads twice, three times where a subject is given, and again for each 500 versions where
 * too few of the first are wanted.
 */
export async function queryFacts(source: FactSource, given: FactQuery): Promise<FactPage> {
  const { limit = 50, after, signal, order = "newest", ...rest } = checkKnown(given, factNames.query);
  checkSignal(signal);
  checkLimit(limit, "limit");
  checkChoice(order, "order", ["newest", "oldest"]);
  const conditions = await named(source, conditionsOf(rest, presentOf(source.clock)), { signal });
  const query = base32(digest(canonicalJson({ ...rest, order } as Json)).subarray(0, 8));
  let [behind] = after === undefined ? [] : (decodeCursor(after, query, ["number"]) as readonly number[]);
  const items: Stored<FactVersion>[] = [];
  for (let first = true; ; first = false) {
    // The one behind the page says that there is another page.
    const size = first ? Math.min(limit + 1, mostVersions) : step;
    const read = { behind, reverse: order === "newest", limit: size };
    const { versions, end } = await readVersions(source, conditions, read, { signal });
    items.push(...versions);
    const last = items[limit - 1];
    if (items.length > limit && last !== undefined) {
      const facts = await withLinks(source, items.slice(0, limit), { signal });
      return { items: facts, cursor: encodeCursor(query, [last.seq]) };
    }
    if (end === undefined) return { items: await withLinks(source, items, { signal }) };
    behind = end;
  }
}

export async function countFacts(source: FactSource, given: FactCountOptions): Promise<number> {
  const { signal, ...rest } = checkKnown(given, factNames.count);
  checkSignal(signal);
  const conditions = await named(source, conditionsOf(rest, presentOf(source.clock)), { signal });
  let count = 0;
  const pause = pausesOf(signal);
  for (let behind: number | undefined; ; ) {
    await pause();
    const read = { behind, reverse: false, limit: mostVersions };
    const { versions, end } = await readVersions(source, conditions, read, { signal });
    count += versions.length;
    if (end === undefined) return count;
    behind = end;
  }
}

/** Conditions with all names of the subject. One more read where a subject is given. */
async function named(
  { ledger, partition }: FactSource,
  conditions: VersionConditions,
  options: CallOptions,
): Promise<VersionConditions> {
  const [subject] = conditions.subjectKeys ?? [];
  if (subject === undefined) return conditions;
  const reads = aliasReads();
  const rows = namedRows(reads, await ledger.read([partition], [...reads.values()], options));
  return { ...conditions, subjectKeys: new SubjectKeys(rows, []).keysOf(subject) };
}

/** A fact by its id, in its newest version, or the version with this id. */
export async function getFact(
  source: FactSource,
  id: string,
  options: CallOptions,
): Promise<Fact | undefined> {
  const { signal } = checkKnown(options, names.call);
  const version = await readVersion(source, id, { signal: checkSignal(signal) });
  if (version === undefined) return undefined;
  const [fact] = await withLinks(source, [version], { signal });
  return fact;
}

/** All versions of a fact, the oldest first. */
export async function historyOf(
  source: FactSource,
  id: string,
  options: CallOptions,
): Promise<readonly Fact[]> {
  const { signal } = checkKnown(options, names.call);
  const facts = await withLinks(source, await readThread(source, id, { signal: checkSignal(signal) }), {
    signal,
  });
  return facts.map((fact, i) => {
    const next = facts[i + 1];
    return fact.retiredReason === "replaced" && next !== undefined && fact.supersededBy === undefined
      ? { ...fact, supersededBy: next.id }
      : fact;
  });
}

/** The newest version of a fact by its id, or the version with this id. */
export async function readVersion(
  { ledger, partition }: Omit<FactSource, "clock">,
  id: string,
  options: CallOptions,
): Promise<Stored<FactVersion> | undefined> {
  checkId(id, "id");
  const newest = find("fact", { index: "byFact", prefix: [id], reverse: true, limit: 1 });
  const [thread, version] = await ledger.read([partition], [newest, get("fact", id)], options);
  return thread.items[0] ?? version;
}

/** All versions of a fact, the oldest first. */
export async function readThread(
  source: Omit<FactSource, "clock">,
  id: string,
  options: CallOptions,
): Promise<readonly Stored<FactVersion>[]> {
  const { ledger, partition } = source;
  const version = await readVersion(source, id, options);
  if (version === undefined) return [];
  const versions: Stored<FactVersion>[] = [];
  for (let after: string | undefined; ; ) {
    const page = find("fact", { index: "byFact", prefix: [version.factId], limit: mostVersions, after });
    const [{ items, cursor }] = await ledger.read([partition], [page], options);
    versions.push(...items);
    if (cursor === undefined) return versions;
    after = cursor;
  }
}

/** Versions whose links are read at once. */
const linksAtOnce = 1000;

/** Versions as they are shown, with what they rest on. One more read, and another for each further thousand. */
export async function withLinks(
  { ledger, partition }: Omit<FactSource, "clock">,
  versions: readonly Stored<FactVersion>[],
  options: CallOptions,
): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (let from = 0; from < versions.length; from += linksAtOnce) {
    const some = versions.slice(from, from + linksAtOnce);
    const ops = some.map(({ id }) => sourcesOf("fact", id));
    const links = await ledger.read([partition], ops, options);
    facts.push(...some.map((version, i) => toFact(version, links[i] ?? [])));
  }
  return facts;
}
