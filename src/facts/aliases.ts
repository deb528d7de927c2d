import { canonicalKey } from "./canonical.ts";
import { userSubject } from "./claim.ts";
import type { Fact } from "./fact.ts";

/** Predicates whose object is another name of the subject. */
export const namingPredicates: readonly string[] = ["name", "same_as"];

/** Whether a fact says that its object is another name of its subject. */
export function isNaming({ predicate, affirmed }: Pick<Fact, "predicate" | "affirmed">): boolean {
  return affirmed && namingPredicates.includes(predicate);
}

/**
 * Which names stand for the same. Facts with `same_as` say so of any two names, and `name` of somebody and a name. The first
 * name that something had counts as its own, and `user` before any other.
 */
export class Aliases {
  readonly #parents = new Map<string, string>();
  /** Of names that were asked for: most facts are about few. */
  readonly #keys = new Map<string, string>();

  /** @param facts the oldest first */
  constructor(facts: readonly Pick<Fact, "subject" | "predicate" | "object" | "affirmed">[]) {
    for (const fact of facts)
      if (isNaming(fact)) this.#join(canonicalKey(fact.subject), canonicalKey(fact.object));
  }

  /** The key of what a name stands for; "" for a name of nothing but white space. */
  keyOf(name: string): string {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = this.#rootOf(canonicalKey(name));
    this.#keys.set(name, key);
    return key;
  }

  #join(own: string, other: string): void {
    if (own === "" || other === "") return;
    const [a, b] = [this.#rootOf(own), this.#rootOf(other)];
    if (a === b) return;
    if (b === userSubject) this.#parents.set(a, b);
    else this.#parents.set(b, a);
  }

  #rootOf(key: string): string {
    let root = key;
    for (let next = this.#parents.get(root); next !== undefined; next = this.#parents.get(root)) root = next;
    return root;
  }
}
