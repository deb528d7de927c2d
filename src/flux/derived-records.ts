import { saidYet } from "../facts/saying.ts";
import { supersededRole } from "../facts/to-fact.ts";
import type { FactVersion } from "../model/fact.ts";
import type { Grain } from "../model/grain.ts";
import type { NewJob } from "../model/job.ts";
import { groundRole, isSameRef, type Ref, type Source, type Stored } from "../model/record.ts";
import type { StoredText } from "../model/text.ts";
import { type Mutation, patch } from "../store/batch.ts";
import { deriveQueue } from "../store/derive-jobs.ts";
import { find, get, type Page, sourcesOf } from "../store/read.ts";
import { supportsRole } from "./fact-writes.ts";

/** What was derived from a record: a text or a version of a fact, with its sources and its grains. */
export type DerivedRecord = {
  readonly sources: readonly Source[];
  readonly grains: readonly Stored<Grain>[];
} & (
  | { readonly kind: "text"; readonly record: Stored<StoredText> }
  | { readonly kind: "fact"; readonly record: Stored<FactVersion> }
  /** A grain whose text the record replaces. */
  | { readonly kind: "grain"; readonly record: Stored<Grain> }
);

type Derivation = Ref & { readonly role: string };

/**
 * Texts and facts among what was derived from a record and says what it says, facts that it bears out, and grains that it replaces.
 * Links of other roles only had a part in it.
 */
function concerned(derived: readonly Derivation[]): readonly { kind: DerivedRecord["kind"]; id: string }[] {
  const named = derived.flatMap(({ kind, id, role }) => {
    const says =
      (role === groundRole && (kind === "text" || kind === "fact")) ||
      (role === supportsRole && kind === "fact");
    const isReplaced = role === supersededRole && kind === "grain";
    return says || isReplaced ? [[`${kind} ${id}`, { kind, id }] as const] : [];
  });
  return [...new Map(named).values()];
}

/** The reads of a plan by which {@link derivedRecords} knows them. */
export function derivedReads(derived: readonly Derivation[]) {
  return concerned(derived).flatMap(({ kind, id }) => [
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
  return concerned(derived).flatMap(({ kind }, i) => {
    const [record, sources, grains] = rows.slice(3 * i, 3 * i + 3) as [
      DerivedRecord["record"] | undefined,
      readonly Source[],
      Page<Stored<Grain>>,
    ];
    return record === undefined ? [] : [{ kind, record, sources, grains: grains.items } as DerivedRecord];
  });
}

/** A job about a version of a fact that is hidden: what it had ended or contested is judged without it. */
export function hiddenFactJob(id: string): NewJob {
  return { queue: deriveQueue, payload: { kind: "fact", id, hidden: true } };
}

/**
 * What becomes of what was derived from a record that says something else now. From this commit on it is hidden, and maintenance
 * erases it. What a hidden fact had ended is judged anew. A fact that something else states as well stays, rests on the record no
 * more, and is derived anew; a text that the record replaced stands by itself.
 */
export function restated(
  records: readonly DerivedRecord[],
  { kind, id }: Ref,
  now: number,
): { readonly mutations: readonly Mutation[]; readonly jobs: readonly NewJob[] } {
  const from = { kind, id };
  const mutations: Mutation[] = [];
  const jobs: NewJob[] = [];
  for (const { kind, record, sources, grains } of records) {
    const isFrom = (source: Ref): boolean => isSameRef(source, from);
    if (kind === "grain") {
      mutations.push(patch("grain", record.id, { supersededBy: undefined }, { dropped: [from] }));
    } else if (kind === "fact" && standsWithout(sources, isFrom)) {
      // At once: whatever is judged before the job must not hear it any more.
      const left = saidYet(record, (ref) => !isFrom(ref));
      mutations.push(patch("fact", record.id, left, { dropped: [from] }));
      const payload = { kind, id: record.id, thread: record.factId, restated: true };
      // Of its sources some may be hidden, and then no commit can name them.
      jobs.push({ queue: deriveQueue, payload, sources: [{ kind, id: record.id }] });
    } else {
      mutations.push(
        patch(kind, record.id, { expiresAt: now }) as Mutation,
        ...grains.map((grain) => patch("grain", grain.id, { expiresAt: now })),
      );
      if (kind === "fact") jobs.push(hiddenFactJob(record.id));
    }
  }
  return { mutations, jobs };
}

/** Whether a fact has another ground than some sources, or none and they only bear it out: it was told to the memory itself. */
function standsWithout(sources: readonly Source[], isFrom: (source: Ref) => boolean): boolean {
  const grounds = sources.filter(({ role }) => role === groundRole);
  return grounds.length === 0 || grounds.some((source) => !isFrom(source));
}
