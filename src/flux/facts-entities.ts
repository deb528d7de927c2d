import { canonicalKey } from "../facts/canonical.ts";
import {
  compareEntities,
  type Entity,
  type EntityDetails,
  type EntityPlace,
  entitiesOf,
  type NamingText,
} from "../facts/entities.ts";
import { renderEntities } from "../facts/entity-context.ts";
import { entityTypes } from "../facts/entity-types.ts";
import type { Fact } from "../facts/fact.ts";
import type { FactDegradation } from "../facts/facts.ts";
import { toFact } from "../facts/to-fact.ts";
import { presentOf } from "../model/clock.ts";
import { describe, FluxTypeError } from "../model/errors.ts";
import type { FactVersion } from "../model/fact.ts";
import type { Grain } from "../model/grain.ts";
import { base32, digest } from "../model/hash.ts";
import { canonicalJson } from "../model/json.ts";
import type { Stored } from "../model/record.ts";
import { spokenKinds } from "../recall/conditions.ts";
import { grainText, type OwnerRecords, ownerKey, ownerText } from "../recall/owner-text.ts";
import { decodeCursor, encodeCursor } from "../store/cursor.ts";
import type { CallOptions } from "../store/driver.ts";
import { find, get } from "../store/read.ts";
import { checkChoice, checkKnown, checkLimit, checkSignal, checkString } from "./check-options.ts";
import type { EntityContextOptions, EntityListOptions, EntityPage } from "./entity-options.ts";
import { factNames } from "./fact-option-names.ts";
import { type FactSource, withLinks } from "./facts-query.ts";
import { factsBounded, mostScanned } from "./facts-recall.ts";
import { readNewest } from "./facts-walk.ts";
import type { FluxParts } from "./open-flux.ts";
import { names } from "./option-names.ts";

/** Grains whose texts names are looked for in. */
const mostTexts = 1000;
/** Facts of an entity on either side. */
const mostFacts = 1000;

interface View {
  readonly entities: readonly EntityDetails[];
  /** The versions of their facts by id. */
  readonly versions: ReadonlyMap<string, Stored<FactVersion>>;
  readonly degraded: readonly FactDegradation[];
}

/** A page of the entities, with what a list shows of them. */
export async function listEntities(source: FactSource, given: EntityListOptions): Promise<EntityPage> {
  const { limit = 50, after, type, q, signal } = checkKnown(given, factNames.entities);
  checkSignal(signal);
  checkLimit(limit, "limit");
  if (type !== undefined) checkChoice(type, "type", entityTypes);
  const part = q === undefined ? "" : canonicalKey(checkString(q, "q"));
  const place = base32(digest(canonicalJson({ type: type ?? null, part })).subarray(0, 8));
  const [mentions, lastSeen, name] =
    after === undefined ? [] : decodeCursor(after, place, ["number", "number", "string"]);
  const behind = after === undefined ? undefined : ({ mentions, lastSeen, name } as EntityPlace);
  const { entities, degraded } = await viewOf(source, { signal });
  const wanted = entities.filter(
    (entity) =>
      (type === undefined || entity.type === type) &&
      (part === "" || namesOf(entity).some((one) => one.includes(part))) &&
      (behind === undefined || compareEntities(entity, behind) > 0),
  );
  const items = wanted.slice(0, limit).map(summaryOf);
  const last = items.at(-1);
  return {
    items,
    ...(wanted.length > limit && last !== undefined
      ? { cursor: encodeCursor(place, [last.mentions, last.lastSeen, last.name]) }
      : {}),
    ...(degraded.length > 0 ? { degraded } : {}),
  };
}

/** The entity that has a name, with what is known of it. */
export async function findEntity(
  source: FactSource,
  name: string,
  options: CallOptions,
): Promise<EntityDetails | undefined> {
  const { signal } = checkKnown(options, names.call);
  checkSignal(signal);
  const key = canonicalKey(checkString(name, "name"));
  const { entities, versions } = await viewOf(source, { signal });
  const [entity] = named(entities, [key]);
  if (entity === undefined) return undefined;
  const complete = async (facts: readonly Fact[]): Promise<readonly Fact[]> =>
    withLinks(
      source,
      facts.slice(0, mostFacts).flatMap(({ id }) => versions.get(id) ?? []),
      { signal },
    );
  const [asSubject, asObject] = await Promise.all([complete(entity.asSubject), complete(entity.asObject)]);
  return { ...entity, asSubject, asObject };
}

/** What is known of entities, for a prompt. */
export async function entityContextOf(
  source: FactSource & Pick<FluxParts, "tokenCounter">,
  given: readonly string[] | undefined,
  options: EntityContextOptions,
): Promise<string> {
  const { maxTokens, signal } = checkKnown(options, factNames.entityContext);
  checkSignal(signal);
  if (maxTokens !== undefined) checkLimit(maxTokens, "maxTokens", Number.MAX_SAFE_INTEGER);
  if (given !== undefined && !Array.isArray(given))
    throw new FluxTypeError("invalid_argument", `names must be a list, not ${describe(given)}`);
  const keys = given?.map((name: unknown) => canonicalKey(checkString(name, "names")));
  const { entities } = await viewOf(source, { signal });
  const { tokenCounter } = source;
  return renderEntities(keys === undefined ? entities : named(entities, keys), presentOf(source.clock), {
    maxTokens,
    tokenCounter,
  });
}

/** Those that have one of the names, in the order of the names. */
function named(entities: readonly EntityDetails[], keys: readonly string[]): readonly EntityDetails[] {
  const byName = new Map<string, EntityDetails>();
  for (const entity of entities)
    for (const name of namesOf(entity)) if (!byName.has(name)) byName.set(name, entity);
  return [...new Set(keys.flatMap((key) => byName.get(key) ?? []))];
}

function namesOf({ name, aliases }: Entity): string[] {
  return [name, ...aliases].map(canonicalKey);
}

function summaryOf({ asSubject: _own, asObject: _others, ...entity }: EntityDetails): Entity {
  return entity;
}

async function viewOf(source: FactSource, options: CallOptions): Promise<View> {
  const everything = { asOf: undefined, knownAt: undefined };
  const [{ versions, bounded }, texts] = await Promise.all([
    readNewest(source, everything, mostScanned, options),
    newestTexts(source, options),
  ]);
  const facts = versions.map((version) => toFact(version, []));
  return {
    entities: entitiesOf({ facts, texts, now: presentOf(source.clock) }),
    versions: new Map(versions.map((version) => [version.id, version])),
    degraded: bounded ? [factsBounded(mostScanned)] : [],
  };
}

async function newestTexts(
  { ledger, partition }: Omit<FactSource, "clock">,
  options: CallOptions,
): Promise<NamingText[]> {
  const newest = find("grain", { index: "byTime", reverse: true, limit: mostTexts });
  const [{ items }] = await ledger.read([partition], [newest], options);
  const grains = items.filter(
    ({ ownerKind, status }) => spokenKinds.includes(ownerKind) && status === "active",
  );
  const owners = [...new Map(grains.map((grain) => [ownerKey(grain), grain])).values()];
  if (owners.length === 0) return [];
  const ops = owners.map(({ ownerKind, ownerId }) => get(ownerKind, ownerId));
  const records = await ledger.read([partition], ops, options);
  const texts = new Map<string, string>();
  for (const [i, grain] of owners.entries()) {
    const record = records[i] as OwnerRecords[Grain["ownerKind"]] | undefined;
    if (record !== undefined) texts.set(ownerKey(grain), ownerText(grain.ownerKind, record));
  }
  return grains.flatMap((grain): NamingText[] => {
    const text = texts.get(ownerKey(grain));
    return text === undefined
      ? []
      : [{ text: grainText(text, grain), author: grain.author, saidAt: grain.saidAt }];
  });
}
