import type { RowRead, SearchRead } from "../../driver.ts";
import type { Row } from "../../table.ts";
import { VectorCache } from "../../vector-cache.ts";
import type { SchemaNames } from "../names.ts";
import type { Session } from "../session.ts";
import { aroundForm } from "./around-form.ts";
import type { Form } from "./form.ts";
import { indexedForm } from "./indexed-form.ts";
import { matchForm } from "./match-form.ts";
import { nearestForm } from "./nearest-form.ts";
import { finishNearest, nearestBeginning } from "./nearest-in-process.ts";
import type { Pgvector } from "./pgvector.ts";
import { spacesForm } from "./spaces.ts";

/** What searches of vectors work with. */
export interface VectorTools {
  /** Undefined where they are searched in process. */
  readonly pgvector: Pgvector | undefined;
  readonly cache: VectorCache;
}

/** Those for a transaction, which may see vectors that are never committed: none are remembered. */
export function withoutMemory({ pgvector }: VectorTools): VectorTools {
  return { pgvector, cache: new VectorCache() };
}

/** @param partition what tells partitions apart */
export function searchForm(
  names: SchemaNames,
  tools: VectorTools,
  partition: string,
  read: SearchRead,
): Form {
  switch (read.type) {
    case "spaces":
      return spacesForm(names);
    case "match":
      return matchForm(names, read);
    case "nearest":
      return tools.pgvector === undefined
        ? nearestBeginning(names, tools.cache, cacheKey(partition, read), read)
        : nearestForm(names, tools.pgvector, read);
    case "around":
      return aroundForm(names, read);
    case "indexed":
      return indexedForm(names, read.grainIds);
  }
}

/** Whether some searches take more than one statement; they need a snapshot that stays. */
export function takesSeveral(reads: readonly RowRead[], { pgvector }: VectorTools): boolean {
  return pgvector === undefined && reads.some(({ type }) => type === "nearest");
}

/** Makes the rows of searches that take more than one statement. */
export async function finishSearches(
  session: Session,
  names: SchemaNames,
  tools: VectorTools,
  partition: string,
  reads: readonly RowRead[],
  rows: readonly (readonly Row[])[],
): Promise<readonly (readonly Row[])[]> {
  if (!takesSeveral(reads, tools)) return rows;
  const { cache } = tools;
  const finished = [...rows];
  for (const [i, read] of reads.entries()) {
    if (read.type !== "nearest") continue;
    const place = { cache, key: cacheKey(partition, read) };
    finished[i] = await finishNearest(session, names, place, read, rows[i] ?? []);
  }
  return finished;
}

function cacheKey(partition: string, { space }: { readonly space: number }): string {
  return `${space}/${partition}`;
}
