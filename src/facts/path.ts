import { lineText } from "../text/escape.ts";
import type { Fact } from "./fact.ts";

/** Whether a fact is read from its subject to its object, or the other way. */
export type Direction = "forward" | "backward";

/** A chain of facts, each of which shares an end with the one before. */
export class Path {
  readonly facts: readonly Fact[];
  /** How each fact is read, in their order. */
  readonly directions: readonly Direction[];
  /** What it leads through, from its beginning to its end: one more than there are facts. */
  readonly nodes: readonly string[];

  constructor(facts: readonly Fact[], directions: readonly Direction[], nodes: readonly string[]) {
    this.facts = facts;
    this.directions = directions;
    this.nodes = nodes;
  }

  /** In one line: `Ann -[works_at]-> Acme <-[works_at]- Bob`. */
  render(): string {
    const [first = "", ...others] = this.nodes.map(lineText);
    return this.facts.reduce((line, { predicate }, i) => {
      const name = lineText(predicate);
      const arrow = this.directions[i] === "forward" ? `-[${name}]->` : `<-[${name}]-`;
      return `${line} ${arrow} ${others[i] ?? ""}`;
    }, first);
  }
}
