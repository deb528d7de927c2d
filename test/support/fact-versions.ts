import { canonicalKey } from "../../src/facts/canonical.ts";
import { factGrain } from "../../src/flux/fact-grain.ts";
import type { Flux } from "../../src/flux/flux.ts";
import type { FactVersion } from "../../src/model/fact.ts";
import type { Partition } from "../../src/model/partition.ts";
import { insert } from "../../src/store/batch.ts";
import type { Ledger } from "../../src/store/ledger.ts";

/** A version out of what a test says of it. */
export function factVersion(
  [subject, predicate, object]: readonly [subject: string, predicate: string, object: string],
  more: Partial<FactVersion> = {},
): FactVersion {
  return {
    ...{ factId: `fact of ${subject} ${predicate} ${object}`.slice(0, 100), subject, predicate, object },
    ...{ subjectKey: canonicalKey(subject), objectKey: canonicalKey(object), affirmed: true, confidence: 1 },
    ...{ provenance: "user_stated", status: "current", recordedFrom: 0 },
    ...more,
  };
}

/** Inserts versions in their order, without grains, in one commit; their ids. */
export async function insertVersions(
  ledger: Ledger,
  partition: Partition,
  operation: string,
  versions: readonly FactVersion[],
): Promise<readonly string[]> {
  const records = versions.map((version) => insert("fact", version));
  return (await ledger.append(partition, { operation, records })).ids;
}

/** Inserts versions, those that are believed with their grains, and indexes them. */
export async function insertIndexed(
  { ledger, flux }: { readonly ledger: Ledger; readonly flux: Flux },
  partition: Partition,
  operation: string,
  versions: readonly FactVersion[],
): Promise<void> {
  const records = versions.flatMap((version, i) => {
    const id = `${operation} ${i}`;
    const grain = { ...factGrain(version), ownerKind: "fact", ownerId: id } as const;
    return [
      insert("fact", version, { id }),
      ...(version.status === "current" ? [insert("grain", grain)] : []),
    ];
  });
  await ledger.append(partition, { operation, records });
  await flux.rebuild();
}
