import { fold } from "../text/fold.ts";
import { englishStopWords } from "../text/stop-words.ts";
import { Aliases, isNaming } from "./aliases.ts";
import type { Fact } from "./fact.ts";
import { type Direction, Path } from "./path.ts";

/** Which way facts are followed from what they lead through: from subject to object, from object to subject, or both. */
export type GraphDirection = "out" | "in" | "both";

export interface GraphSearch {
  /** Facts in a path at most. */
  readonly hops: number;
  readonly direction: GraphDirection;
  /** Paths at most. */
  readonly limit: number;
}

export interface FoundPaths {
  /** Those of fewer facts first, then those with the fact that was recorded last. */
  readonly paths: readonly Path[];
  /** Whether the search ended before it had seen every path that could have been among these. */
  readonly cut: boolean;
}

/** Paths of one length that are looked at; a hub with more neighbours than this says nothing about any of them. */
export const mostPaths = 10_000;

/** Letters of a word of a query, from which on it can name a node. */
const leastLetters = 3;

interface Edge {
  readonly fact: Fact;
  readonly direction: Direction;
  readonly to: string;
}

/** A path while it grows: its last step, and the rest before it. */
interface Step {
  readonly node: string;
  readonly edge?: Edge;
  readonly before?: Step;
}

/**
 * Facts as a directed graph. What subjects and objects name are its nodes; names that stand for the same are one node. Denials
 * are no edges, and neither are facts that only say that two names are the same.
 */
export class FactGraph {
  readonly #aliases: Aliases;
  readonly #edges = new Map<string, Edge[]>();
  /** Spellings of each node, the one that it is shown by first. */
  readonly #names = new Map<string, Set<string>>();
  /** Who is related how: "sister" leads to the objects of `has_sister`. */
  readonly #relations = new Map<string, Set<string>>();

  /** @param facts the newest first */
  constructor(facts: readonly Fact[]) {
    const oldestFirst = facts.toReversed();
    this.#aliases = new Aliases(oldestFirst);
    for (const fact of oldestFirst) if (fact.affirmed) this.#name(fact);
    for (const fact of facts) if (fact.affirmed && !isNaming(fact)) this.#connect(fact);
  }

  /**
   * The nodes that a query names: those of which it has a word of at least three letters that says something, and who is related as
   * it says, such as the sister by `has_sister`.
   */
  seedsOf(query: string): string[] {
    const words = new Set(wordsOf(query));
    const whole = fold(query);
    const isNamed = (name: string): boolean =>
      wordsOf(name).some((word) => words.has(word)) || standsIn(name, whole);
    const named = Array.from(this.#names).filter(([, names]) => [...names].some(isNamed));
    const related = Array.from(this.#relations).filter(([relation]) => words.has(relation));
    const seeds = new Set([...named.map(([key]) => key), ...related.flatMap(([, nodes]) => [...nodes])]);
    return [...seeds].sort((a, b) => (a < b ? -1 : 1));
  }

  /** The nodes that have these names. */
  nodesOf(names: readonly string[]): string[] {
    const keys = names.map((name) => this.#aliases.keyOf(name));
    return [...new Set(keys)].filter((key) => this.#names.has(key));
  }

  /** Paths without circles that begin at the given nodes. */
  pathsFrom(seeds: readonly string[], { hops, direction, limit }: GraphSearch): FoundPaths {
    const found: Step[] = [];
    const seen = new Set<string>();
    let cut = false;
    let ends: readonly Step[] = seeds.map((node) => ({ node }));
    // What is longer never comes before what is shorter.
    for (let length = 1; length <= hops && found.length < limit && ends.length > 0 && !cut; length++) {
      const longer: Step[] = [];
      for (const end of ends) {
        for (const edge of this.#edgesOf(end.node, direction)) {
          if (leadsThrough(end, edge.to)) continue;
          const step = { node: edge.to, edge, before: end };
          longer.push(step);
          if (longer.length >= mostPaths) cut = true;
          if (cut) break;
        }
        if (cut) break;
      }
      const newest = longer
        .map((step) => ({ step, at: newestOf(step) }))
        .sort((a, b) => b.at - a.at)
        .map(({ step }) => step);
      for (const step of newest) {
        const chain = factsOf(step).map(({ id }) => id);
        // The same facts are found from both ends where both are seeds.
        const names = [chain, chain.toReversed()].map((ids) => JSON.stringify(ids));
        if (names.some((name) => seen.has(name))) continue;
        seen.add(names[0] ?? "");
        found.push(step);
      }
      ends = longer;
    }
    return { paths: found.slice(0, limit).map((step) => this.#pathOf(step)), cut };
  }

  #name({ subject, object }: Fact): void {
    for (const name of [subject, object]) {
      const key = this.#aliases.keyOf(name);
      if (key === "") continue;
      const names = this.#names.get(key);
      if (names === undefined) this.#names.set(key, new Set([name]));
      else names.add(name);
    }
  }

  #connect(fact: Fact): void {
    const [from, to] = [this.#aliases.keyOf(fact.subject), this.#aliases.keyOf(fact.object)];
    if (from === "" || to === "" || from === to) return;
    this.#add(from, { fact, direction: "forward", to });
    this.#add(to, { fact, direction: "backward", to: from });
    const [relation] = /(?<=^has_).+/u.exec(fact.predicate) ?? [];
    if (relation === undefined) return;
    const others = this.#relations.get(relation);
    if (others === undefined) this.#relations.set(relation, new Set([to]));
    else others.add(to);
  }

  #add(node: string, edge: Edge): void {
    const edges = this.#edges.get(node);
    if (edges === undefined) this.#edges.set(node, [edge]);
    else edges.push(edge);
  }

  #edgesOf(node: string, direction: GraphDirection): readonly Edge[] {
    const edges = this.#edges.get(node) ?? [];
    if (direction === "both") return edges;
    const wanted: Direction = direction === "out" ? "forward" : "backward";
    return edges.filter((edge) => edge.direction === wanted);
  }

  #pathOf(step: Step): Path {
    const edges: Edge[] = [];
    const nodes: string[] = [];
    for (let at: Step | undefined = step; at !== undefined; at = at.before) {
      nodes.unshift(this.#nameOf(at.node));
      if (at.edge !== undefined) edges.unshift(at.edge);
    }
    return new Path(
      edges.map(({ fact }) => fact),
      edges.map(({ direction }) => direction),
      nodes,
    );
  }

  #nameOf(node: string): string {
    const [first] = this.#names.get(node) ?? [];
    return first ?? node;
  }
}

function leadsThrough(step: Step, node: string): boolean {
  for (let at: Step | undefined = step; at !== undefined; at = at.before) if (at.node === node) return true;
  return false;
}

function factsOf(step: Step): Fact[] {
  const facts: Fact[] = [];
  for (let at: Step | undefined = step; at !== undefined; at = at.before)
    if (at.edge !== undefined) facts.unshift(at.edge.fact);
  return facts;
}

function newestOf(step: Step): number {
  return Math.max(...factsOf(step).map(({ recordedFrom }) => recordedFrom));
}

function wordsOf(text: string): string[] {
  return Array.from(text.matchAll(/[\p{L}\p{M}\p{N}]+/gu), ([word]) => fold(word)).filter(
    (word) => Array.from(word).length >= leastLetters && !englishStopWords.has(word),
  );
}

// Scripts that put no spaces between words, so that a query is one long word there.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;

function standsIn(name: string, query: string): boolean {
  return name.length > 1 && unspaced.test(name) && query.includes(fold(name));
}
