import type { Embedder } from "../embed/embedder.ts";
import type { Grain } from "../model/grain.ts";
import { partition } from "../model/partition.ts";
import type { Stored } from "../model/record.ts";
import { insert } from "../store/batch.ts";
import type { Ledger } from "../store/ledger.ts";
import { inMemoryLedger } from "../store/memory/ledger.ts";
import { createAnalyser } from "../text/analyser.ts";
import { PoolBuilder } from "./pool.ts";
import { analyseQuery } from "./query.ts";
import type { RecallContext } from "./recall.ts";

/** Wednesday, 24 May 2023. */
export const sampleNow = Date.UTC(2023, 4, 24, 12);
export const sampleAnalyser = createAnalyser();
const day = 24 * 3_600_000;

export interface Said extends Partial<Omit<Grain, "ownerKind" | "ownerId">> {
  readonly text: string;
}

/** A grain as a ledger returns it. */
export function sampleGrain(id: string, more: Partial<Stored<Grain>> = {}): Stored<Grain> {
  return {
    ...{ id, seq: 1, updatedSeq: 1, recordedAt: sampleNow, ownerKind: "text", ownerId: id },
    ...{ status: "active", provenance: "user_stated", saidAt: sampleNow - day },
    ...more,
  };
}

/** A pool of entries as a search would return them: `g1`, `g2`, … in order, neighbours linked. */
export function samplePool(question: string, said: readonly Said[]) {
  const query = analyseQuery(question, { analyser: sampleAnalyser, now: sampleNow });
  const entries = said.map(({ text }) => sampleAnalyser.analyse(text).map(({ term }) => term));
  const counts = entries.map((terms) =>
    query.searched.map((term) => terms.filter((other) => other === term).length),
  );
  const grains = said.map(({ text: _, ...more }, i) => sampleGrain(`g${i + 1}`, { seq: i + 1, ...more }));
  const pool = new PoolBuilder();
  pool.addMatches({
    documents: said.length,
    averageLength: entries.reduce((sum, { length }) => sum + length, 0) / said.length,
    frequencies: query.searched.map((_, i) => counts.filter((row) => (row[i] ?? 0) > 0).length),
    candidates: grains.map((grain, i) => ({
      grain,
      length: entries[i]?.length ?? 0,
      counts: counts[i] ?? [],
    })),
  });
  for (const [i, grain] of grains.entries()) {
    const previous = grains[i - 1];
    if (previous?.sessionId !== undefined && previous.sessionId === grain.sessionId)
      pool.addLink(grain.id, -1, previous);
  }
  return { query, pool: pool.build(), grains };
}

/** A ledger in which texts were said, indexed by words and, with an embedder, by meaning. */
export async function sampleMemory(
  said: readonly Said[],
  embedder?: Embedder,
  ledger: Ledger = inMemoryLedger({ clock: { now: () => sampleNow } }),
): Promise<RecallContext & AsyncDisposable> {
  const alice = partition({ userId: "alice" });
  const lexical = await ledger.spaces.declare({ kind: "lexical", maker: sampleAnalyser.id });
  const dense = embedder
    ? await ledger.spaces.declare({ kind: "dense", maker: embedder.id, dimensions: embedder.dimensions })
    : undefined;
  const vectors = await embedder?.embed(
    said.map(({ text }) => text),
    { kind: "document" },
  );
  for (const [i, { text, ...more }] of said.entries()) {
    const { saidAt = sampleNow - day, provenance = "user_stated" } = more;
    const vector = vectors?.[i];
    const terms = sampleAnalyser.analyse(`${more.author ?? ""}: ${text}`).map(({ term }) => term);
    await ledger.append(alice, {
      operation: `said ${i}`,
      spaces: [lexical.id, ...(dense ? [dense.id] : [])],
      records: [
        insert("text", { form: "note", content: text, provenance, statedAt: saidAt }, { id: `t${i + 1}` }),
        insert(
          "grain",
          { ownerKind: "text", ownerId: `t${i + 1}`, status: "active", ...more, provenance, saidAt },
          {
            id: `g${i + 1}`,
            index: [
              ...(terms.length > 0 ? [{ space: lexical.id, terms }] : []),
              ...(dense && vector ? [{ space: dense.id, vector }] : []),
            ],
          },
        ),
      ],
    });
  }
  return {
    ...{
      ledger,
      partition: alice,
      spaces: { lexical, dense },
      analyser: sampleAnalyser,
      embedder,
      now: sampleNow,
    },
    [Symbol.asyncDispose]: () => ledger.close(),
  };
}
