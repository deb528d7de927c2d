import { userSubject } from "./claim.ts";
import type { Fact } from "./fact.ts";

/** Predicates whose object is another name of the subject. */
const naming: ReadonlySet<string> = new Set(["same_as", "name"]);

/** Whether a fact says that its object is another name of its subject. */
export function isNaming({ predicate, affirmed }: Pick<Fact, "predicate" | "affirmed">): boolean {
  return affirmed && naming.has(predicate);
}

/** What names are compared by: case, width, accents in their two forms and runs of white space make no difference. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

/**
 * Which names stand for the same. Facts with `same_as` say so of any two names, and `name` of somebody and a name. The first
 * name that something had counts as its own, and `user` before any other.
 */
export class Aliases {
  readonly #parents = new Map<string, string>();

  /** @param facts the oldest first */
  constructor(facts: readonly Fact[]) {
    for (const fact of facts) if (isNaming(fact)) this.#join(nameKey(fact.subject), nameKey(fact.object));
  }

  /** The key of what a name stands for; "" for a name of nothing but white space. */
  keyOf(name: string): string {
    return this.#rootOf(nameKey(name));
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
