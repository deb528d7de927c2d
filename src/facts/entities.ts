import { findNames } from "../text/names.ts";
import { Aliases, isNaming } from "./aliases.ts";
import { canonicalKey } from "./canonical.ts";
import { userSubject } from "./claim.ts";
import { type EntityType, nameKindOf, typeOfName, typeOfObject, typeOfSubject } from "./entity-types.ts";
import type { Fact } from "./fact.ts";
import { validAt } from "./moments.ts";

/** Somebody or something that is spoken of. */
export interface Entity {
  /** As it was written first; `user` for the user. */
  readonly name: string;
  /** Further names and spellings. */
  readonly aliases: readonly string[];
  readonly type: EntityType;
  /** How many facts about it hold now, as their subject or their object. */
  readonly facts: number;
  /** How often it was spoken of: facts, repetitions of facts, and names in the newest texts. */
  readonly mentions: number;
  /** When it was first and last spoken of, as far as that is known, in milliseconds. */
  readonly firstSeen: number;
  readonly lastSeen: number;
}

/** An entity, with what is known of it. */
export interface EntityDetails extends Entity {
  /** Facts with it as their subject: those that hold now, then those that hold at another time; the newest first. */
  readonly asSubject: readonly Fact[];
  /** Facts with it as their object, in the same order. */
  readonly asObject: readonly Fact[];
}

/** A text in which names are looked for. */
export interface NamingText {
  readonly text: string;
  readonly author?: string | undefined;
  readonly saidAt: number;
}

export interface EntityInput {
  /** What is believed, whenever it holds; the newest first. */
  readonly facts: readonly Fact[];
  readonly texts: readonly NamingText[];
  /** What holds now is what holds at this moment. */
  readonly now: number;
}

/**
 * Who and what is spoken of, those first that are spoken of most. Subjects of facts are entities, and of the objects those that
 * have a name or whose predicate says what they are; of names that stand in texts alone, those of which the text says what they
 * are or that occur twice.
 */
export function entitiesOf({ facts, texts, now }: EntityInput): EntityDetails[] {
  const oldestFirst = facts.toReversed();
  const found = new Drafts(new Aliases(oldestFirst));
  // An object is an entity where it is the subject of any other fact, an older or a newer one.
  for (const fact of oldestFirst) found.addSubject(fact);
  for (const fact of oldestFirst) found.addObject(fact);
  for (const text of texts) found.addText(text);
  return found.finish(now);
}

interface Draft {
  readonly names: Set<string>;
  /** What says which type it is, by how much that counts. */
  readonly types: (EntityType | undefined)[];
  readonly asSubject: Fact[];
  readonly asObject: Fact[];
  mentions: number;
  inTexts: number;
  firstSeen: number;
  lastSeen: number;
}

/** Places in `Draft.types`, from what counts most: what a fact says it is, its place in facts, its name. */
const said = 0;
const asObject = 1;
const asSubject = 2;
const byName = 3;

/** Names in texts alone, from which on one counts of which nothing else is known. */
const leastInTexts = 2;

/** Words that call somebody's part in a conversation, and nobody's name. */
const roles: ReadonlySet<string> = new Set(["user", "assistant", "system", "tool", "human", "ai"]);

class Drafts {
  readonly #aliases: Aliases;
  readonly #drafts = new Map<string, Draft>();

  constructor(aliases: Aliases) {
    this.#aliases = aliases;
  }

  addSubject(fact: Fact): void {
    const draft = this.#make(fact.subject);
    if (draft === undefined) return;
    draft.asSubject.push(fact);
    draft.types[fact.predicate === "is_a" ? said : asSubject] ??= typeOfSubject(fact);
    if (isNaming(fact)) draft.names.add(fact.object.trim());
    mention(draft, fact);
  }

  addObject(fact: Fact): void {
    const { subject, predicate, object } = fact;
    if (isNaming(fact)) return;
    const type = typeOfObject(predicate);
    const kind = nameKindOf(object);
    const isEntity =
      type !== undefined || kind !== undefined || this.#drafts.has(this.#aliases.keyOf(object));
    const draft = isEntity ? this.#make(object) : undefined;
    if (draft === undefined || draft === this.#drafts.get(this.#aliases.keyOf(subject))) return;
    draft.asObject.push(fact);
    draft.types[asObject] ??= type;
    draft.types[byName] ??= kind === undefined ? undefined : typeOfName(kind);
    mention(draft, fact);
  }

  addText({ text, author, saidAt }: NamingText): void {
    if (author !== undefined && !roles.has(canonicalKey(author))) {
      const draft = this.#make(author);
      if (draft !== undefined) draft.types[byName] ??= "person";
      if (draft !== undefined) see(draft, saidAt);
    }
    for (const { text: name, kind } of findNames(text)) {
      const draft = this.#make(name);
      if (draft === undefined) continue;
      draft.types[byName] ??= typeOfName(kind);
      draft.inTexts += 1;
      see(draft, saidAt);
    }
  }

  finish(now: number): EntityDetails[] {
    return Array.from(this.#drafts)
      .filter(([, draft]) => isKnown(draft))
      .map(([key, draft]) => finished(key, draft, now))
      .sort(compareEntities);
  }

  #make(name: string): Draft | undefined {
    const key = this.#aliases.keyOf(name);
    if (key === "") return undefined;
    const known = this.#drafts.get(key);
    known?.names.add(name.trim());
    if (known !== undefined) return known;
    const draft: Draft = {
      ...{ names: new Set([name.trim()]), types: [], asSubject: [], asObject: [], mentions: 0, inTexts: 0 },
      ...{ firstSeen: Infinity, lastSeen: -Infinity },
    };
    this.#drafts.set(key, draft);
    return draft;
  }
}

function mention(draft: Draft, { mentions, firstSaidAt, lastSaidAt }: Fact): void {
  draft.mentions += 1 + mentions;
  see(draft, firstSaidAt);
  see(draft, lastSaidAt);
}

function see(draft: Draft, at: number): void {
  draft.firstSeen = Math.min(draft.firstSeen, at);
  draft.lastSeen = Math.max(draft.lastSeen, at);
}

function isKnown({ asSubject: own, asObject: others, inTexts, types }: Draft): boolean {
  return (
    own.length + others.length > 0 || inTexts >= leastInTexts || types.some((type) => type !== undefined)
  );
}

function finished(key: string, draft: Draft, now: number): EntityDetails {
  const [first = key, ...more] = draft.names;
  const name = key === userSubject ? userSubject : first;
  const facts = [...draft.asSubject, ...draft.asObject];
  return {
    name,
    aliases: key === userSubject ? [first, ...more].filter((one) => one !== userSubject) : more,
    type: key === userSubject ? "person" : (draft.types.find((type) => type !== undefined) ?? "other"),
    facts: facts.filter((fact) => validAt(fact, now)).length,
    mentions: draft.mentions + draft.inTexts,
    ...{ firstSeen: draft.firstSeen, lastSeen: draft.lastSeen },
    asSubject: heldFirst(draft.asSubject, now),
    asObject: heldFirst(draft.asObject, now),
  };
}

/** Facts that come oldest first, in the order in which they are shown. */
function heldFirst(facts: readonly Fact[], now: number): Fact[] {
  const newest = facts.toReversed();
  return [...newest.filter((fact) => validAt(fact, now)), ...newest.filter((fact) => !validAt(fact, now))];
}

/** The one that is spoken of more, then the one that was spoken of last, then by name. */
export function compareEntities(a: EntityPlace, b: EntityPlace): number {
  return (
    b.mentions - a.mentions ||
    b.lastSeen - a.lastSeen ||
    compareText(canonicalKey(a.name), canonicalKey(b.name))
  );
}

/** What the order of entities goes by. */
export type EntityPlace = Pick<Entity, "name" | "mentions" | "lastSeen">;

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
