import { partitionKey } from "../model/partition.ts";
import type { ClaimedJob, Ledger } from "../store/ledger.ts";
import { sourcesOf } from "../store/read.ts";
import type { CheckedStatement } from "./extract-check.ts";
import type { CheckedClaim } from "./extract-claims.ts";
import { extractQueue, textsPerCall, windowUnits } from "./extract-queue.ts";
import { readSources, type SourceText } from "./extract-sources.ts";

/** Partitions of which something is kept: those that are worked on now, and some that another process goes on with. */
const mostPartitions = 100;

/** What was derived from texts. */
export interface Derived {
  readonly statements: readonly CheckedStatement<SourceText>[];
  readonly claims: readonly CheckedClaim<SourceText>[];
}

/**
 * What was derived along with others from texts whose jobs come next: turns of a conversation are stored one by one, and a model
 * is asked once for several. It is lost with the process, and then asked for again.
 */
export class Ahead {
  readonly #partitions = new Map<
    string,
    {
      readonly generation: number;
      readonly texts: ReadonlyMap<string, Derived & { readonly text: string }>;
    }
  >();

  /** Keeps what was derived from these texts, in the place of what was kept of the partition. */
  keep({ partition, generation }: ClaimedJob, texts: readonly SourceText[], derived: Derived): void {
    const key = partitionKey(partition);
    this.#partitions.delete(key);
    if (texts.length === 0) return;
    const kept = texts.map((text) => {
      return [nameOf(text), { text: text.text, ...derivedOf([text], derived) }] as const;
    });
    this.#partitions.set(key, { generation, texts: new Map(kept) });
    for (const oldest of this.#partitions.keys()) {
      if (this.#partitions.size <= mostPartitions) break;
      this.#partitions.delete(oldest);
    }
  }

  /** What was derived from these texts, if it was from all of them, as they are now, and nothing was erased meanwhile. */
  take({ partition, generation }: ClaimedJob, texts: readonly SourceText[]): Derived | undefined {
    const kept = this.#partitions.get(partitionKey(partition));
    if (kept === undefined) return undefined;
    if (kept.generation !== generation) {
      this.#partitions.delete(partitionKey(partition));
      return undefined;
    }
    const statements: CheckedStatement<SourceText>[] = [];
    const claims: CheckedClaim<SourceText>[] = [];
    for (const source of texts) {
      const known = kept.texts.get(nameOf(source));
      if (known?.text !== source.text) return undefined;
      // Of the text as it was read now: its labels may be others.
      for (const { text } of known.statements) statements.push({ text, source });
      for (const { claim } of known.claims) claims.push({ claim, source });
    }
    return { statements, claims };
  }
}

/** Of what was derived, that of some texts. */
export function derivedOf(texts: readonly SourceText[], { statements, claims }: Derived): Derived {
  return {
    statements: statements.filter(({ source }) => texts.includes(source)),
    claims: claims.filter(({ source }) => texts.includes(source)),
  };
}

function nameOf({ source: { kind, id, start = 0 } }: SourceText): string {
  return `${kind} ${id} ${start}`;
}

/** Texts of the same session whose jobs wait behind one, as many as a model is shown along with its own. */
export async function textsBehind(
  ledger: Ledger,
  { partition, id, payload }: ClaimedJob,
  texts: readonly SourceText[],
  signal: AbortSignal,
): Promise<readonly SourceText[]> {
  const sessionId = texts[0]?.record.sessionId;
  let units = windowUnits - texts.reduce((sum, { text }) => sum + text.length, 0);
  let places = textsPerCall - texts.length;
  if (payload !== undefined || units <= 0 || places <= 0) return [];
  const { jobs } = await ledger.jobs.list(partition, { queue: extractQueue, limit: textsPerCall, signal });
  const waiting = jobs.filter((job) => job.id !== id && job.payload === undefined && job.attempts === 0);
  const sources = await ledger.read(
    [partition],
    waiting.map((job) => sourcesOf("job", job.id)),
    { signal },
  );
  const behind: SourceText[] = [];
  for (const refs of sources) {
    if (refs.length > places) break;
    const { texts: found } = await readSources(ledger, partition, { refs, window: 0, signal });
    const length = found.reduce((sum, { text }) => sum + text.length, 0);
    const whole = found.every(({ whole, record }) => whole && record.sessionId === sessionId);
    if (!whole) continue;
    if (length > units) break;
    behind.push(...found);
    units -= length;
    places -= found.length;
  }
  return behind;
}
