import type { Partition } from "../../model/partition.ts";
import { type Insert, insert } from "../batch.ts";
import type { Ledger, Receipt } from "../ledger.ts";
import { match, nearest } from "../read.ts";
import type { Kinds } from "../schema.ts";
import type { GrainConditions, IndexEntry, Matches, Neighbours } from "../search.ts";
import { alice } from "./expectations.ts";
import { grain, named, note } from "./samples.ts";

/** What the cases about the index write and ask: grains named as their texts, in one space of each kind. */
export interface Indexed {
  readonly ledger: Ledger;
  readonly lexical: number;
  readonly dense: number;
}

/** Declares a lexical space, and a dense one of three dimensions. */
export async function withSpaces(ledger: Ledger): Promise<Indexed> {
  const lexical = await ledger.spaces.declare({ kind: "lexical", maker: "words" });
  const dense = await ledger.spaces.declare({ kind: "dense", maker: "three", dimensions: 3 });
  return { ledger, lexical: lexical.id, dense: dense.id };
}

export interface Sample {
  readonly text?: string;
  readonly vector?: readonly number[];
  readonly grain?: Partial<Kinds["grain"]>;
}

/** A text and its grain, both with the same id. */
export function sample(
  { lexical, dense }: Indexed,
  id: string,
  { text, vector, grain: more }: Sample,
): Insert[] {
  const index: IndexEntry[] = [];
  if (text !== undefined) index.push({ space: lexical, terms: text.split(" ").filter(Boolean) });
  if (vector !== undefined) index.push({ space: dense, vector: Float32Array.from(vector) });
  return [named(id, note(id)), insert("grain", { ...grain("text", id), ...more }, { id, index })];
}

/** Stores texts by their names, in one commit. */
export function keep(
  indexed: Indexed,
  samples: Readonly<Record<string, Sample>>,
  { user = alice, operation = Object.keys(samples).join("+") }: { user?: Partition; operation?: string } = {},
): Promise<Receipt> {
  return indexed.ledger.append(user, {
    operation,
    records: Object.entries(samples).flatMap(([id, one]) => sample(indexed, id, one)),
    spaces: [indexed.lexical, indexed.dense],
  });
}

export async function matchTerms(
  { ledger, lexical }: Indexed,
  terms: readonly string[],
  { user = alice, limit = 100, where }: { user?: Partition; limit?: number; where?: GrainConditions } = {},
): Promise<Matches> {
  const [found] = await ledger.read([user], [match({ space: lexical, terms, limit, where })]);
  return found;
}

export async function nearestTo(
  { ledger, dense }: Indexed,
  vector: readonly number[],
  { user = alice, limit = 100, where }: { user?: Partition; limit?: number; where?: GrainConditions } = {},
): Promise<Neighbours> {
  const [found] = await ledger.read(
    [user],
    [nearest({ space: dense, vector: Float32Array.from(vector), limit, where })],
  );
  return found;
}

/** The names of what was found, in its order. */
export function names(found: Matches | Neighbours): string[] {
  return ("candidates" in found ? found.candidates : found).map(({ grain }) => grain.id);
}
