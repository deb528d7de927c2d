import type { FactVersion } from "../model/fact.ts";
import type { Grain } from "../model/grain.ts";
import { groundRole, type Ref, type Source, type Stored } from "../model/record.ts";
import type { StoredText } from "../model/text.ts";
import { type Mutation, patch } from "../store/batch.ts";
import { find, get, type Page, sourcesOf } from "../store/read.ts";

/** What was derived from a record: a text or a version of a fact, with its sources and its grains. */
export type DerivedRecord = {
  readonly sources: readonly Source[];
  readonly grains: readonly Stored<Grain>[];
} & (
  | { readonly kind: "text"; readonly record: Stored<StoredText> }
  | { readonly kind: "fact"; readonly record: Stored<FactVersion> }
);

type Derivation = Ref & { readonly role: string };

/** Texts and facts among what was derived from a record and says what it says. Links of other roles only had a part in it. */
function grounded(derived: readonly Derivation[]): readonly { kind: "text" | "fact"; id: string }[] {
  const named = derived.flatMap(({ kind, id, role }) =>
    role === groundRole && (kind === "text" || kind === "fact")
      ? [[`${kind} ${id}`, { kind, id }] as const]
      : [],
  );
  return [...new Map(named).values()];
}

/** The reads of a plan by which {@link derivedRecords} knows them. */
export function derivedReads(derived: readonly Derivation[]) {
  return grounded(derived).flatMap(({ kind, id }) => [
    get(kind, id),
    sourcesOf(kind, id),
    find("grain", { index: "byOwner", prefix: [kind, id], limit: 1000 }),
  ]);
}

/** Those that can be seen, from the rows of {@link derivedReads}. */
export function derivedRecords(
  derived: readonly Derivation[],
  rows: readonly unknown[],
): readonly DerivedRecord[] {
  return grounded(derived).flatMap(({ kind }, i) => {
    const [record, sources, grains] = rows.slice(3 * i, 3 * i + 3) as [
      DerivedRecord["record"] | undefined,
      readonly Source[],
      Page<Stored<Grain>>,
    ];
    return record === undefined ? [] : [{ kind, record, sources, grains: grains.items } as DerivedRecord];
  });
}

/**
 * Hides what was derived from a record that says something else now, from this commit on; maintenance erases it. A fact that
 * something else states as well stays.
 */
export function expiring(records: readonly DerivedRecord[], from: Ref, now: number): Mutation[] {
  return records
    .filter((one) => one.kind === "text" || !statedElsewhere(one, from))
    .flatMap(({ kind, record, grains }) => [
      patch(kind, record.id, { expiresAt: now }) as Mutation,
      ...grains.map(({ id }) => patch("grain", id, { expiresAt: now })),
    ]);
}

function statedElsewhere({ sources }: DerivedRecord, { kind, id }: Ref): boolean {
  return sources.some((source) => source.role === groundRole && !(source.kind === kind && source.id === id));
}
