import assert from "node:assert/strict";
import { leadingTerms } from "../leading-terms.ts";
import type { IndexEntry } from "../search.ts";
import { alice, bob } from "./expectations.ts";
import { type Indexed, keep, matchTerms, nearestTo, type Sample, withSpaces } from "./indexing.ts";
import { Choices } from "./seeded-randomness.ts";
import { group, test } from "./suite.ts";

const vocabulary = ["tea", "milk", "Tee", '"', "AND", "北京", "é", "x".repeat(200), "never"];

/** What the index should hold of a partition: plain arrays, searched from end to end. */
class Model {
  readonly grains = new Map<
    string,
    { readonly order: number; terms?: readonly string[]; vector?: readonly number[] }
  >();
  #order = 0;

  put(id: string, { text, vector }: Sample): void {
    const before = this.grains.get(id) ?? { order: this.#order++ };
    const terms = text?.split(" ").filter(Boolean);
    this.grains.set(id, { ...before, ...(terms && { terms }), ...(vector && { vector }) });
  }

  match(terms: readonly string[]): unknown {
    const entries = [...this.grains].flatMap(([id, { terms: held }]) =>
      held === undefined ? [] : [{ id, held }],
    );
    const count = (held: readonly string[], term: string): number =>
      held.filter((one) => one === term).length;
    const frequencies = terms.map((term) => entries.filter(({ held }) => held.includes(term)).length);
    const leading = leadingTerms(frequencies, 1000).map((i) => terms[i] as string);
    return {
      documents: entries.length,
      total: entries.reduce((sum, { held }) => sum + held.length, 0),
      frequencies,
      candidates: entries
        .filter(({ held }) => leading.some((term) => held.includes(term)))
        .map(({ id, held }) => [id, held.length, terms.map((term) => count(held, term))])
        .sort(),
    };
  }

  nearest(query: readonly number[]): readonly (readonly [string, number])[] {
    const dot = (vector: readonly number[]): number =>
      vector.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0);
    return [...this.grains]
      .flatMap(([id, { vector }]) => (vector === undefined ? [] : [[id, round(dot(vector))] as const]))
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  }
}

function round(similarity: number): number {
  // Backends may add in another order.
  return Math.round(similarity * 1e4) / 1e4 + 0;
}

export const randomIndex = group("index, random", [
  test("random writes, replacements and erasures leave the index as a plain model has it", async ({
    open,
  }) => {
    const choices = new Choices(20_261_130);
    const indexed = await withSpaces(await open());
    const users = [alice, bob].map((user) => ({ user, model: new Model() }));
    for (let step = 0; step < 150; step++) {
      const { user, model } = choices.of(users);
      const ids = [...model.grains.keys()];
      const kind = choices.below(10);
      if (kind < 6 || ids.length === 0) {
        const samples = Object.fromEntries(
          Array.from({ length: 1 + choices.below(4) }, (_, i) => [`${step}.${i}`, randomSample(choices)]),
        );
        await keep(indexed, samples, { user, operation: `step ${step}` });
        for (const [id, sample] of Object.entries(samples)) model.put(id, sample);
      } else if (kind < 8) {
        const id = choices.of(ids);
        const sample = randomSample(choices);
        await replace(indexed, user, id, sample);
        model.put(id, sample);
      } else if (step % 50 === 49) {
        await indexed.ledger.erase(user, { operation: `step ${step}`, everything: true });
        model.grains.clear();
      } else {
        const gone = ids.filter(() => choices.below(4) === 0);
        const refs = gone.map((id) => ({ kind: choices.of(["text", "grain"]), id }));
        if (refs.length > 0) await indexed.ledger.erase(user, { operation: `step ${step}`, refs });
        for (const id of gone) model.grains.delete(id);
      }
      if (step % 3 > 0) continue;
      for (const { user, model } of users) {
        const terms = vocabulary.filter(() => choices.below(2) === 0);
        const { documents, averageLength, frequencies, candidates } = await matchTerms(indexed, terms, {
          user,
          limit: 1000,
        });
        const found = {
          documents,
          total: Math.round(averageLength * documents),
          frequencies,
          candidates: candidates.map(({ grain, length, counts }) => [grain.id, length, counts]).sort(),
        };
        assert.deepEqual(found, model.match(terms), `step ${step}`);
        const query = randomVector(choices);
        const near = (await nearestTo(indexed, query, { user, limit: 1000 })).map(
          ({ grain, similarity }) => [grain.id, round(similarity)] as const,
        );
        const sorted = near.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
        assert.deepEqual(sorted, model.nearest(query), `step ${step}`);
      }
    }
  }, 120_000),
]);

function randomSample(choices: Choices): Sample {
  const text = Array.from({ length: choices.below(8) }, () => choices.of(vocabulary.slice(0, -1))).join(" ");
  return {
    ...(choices.below(8) > 0 ? { text } : {}),
    ...(choices.below(4) > 0 ? { vector: randomVector(choices) } : {}),
  };
}

function randomVector(choices: Choices): readonly number[] {
  return (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [0.6, 0.8, 0],
      [0, 0, 0],
      [-1, 0, 0],
      [0.48, 0.64, 0.6],
    ][choices.below(7)] ?? []
  );
}

async function replace(
  { ledger, lexical, dense }: Indexed,
  user: typeof alice,
  grainId: string,
  sample: Sample,
): Promise<void> {
  const entries: IndexEntry[] = [];
  if (sample.text !== undefined)
    entries.push({ space: lexical, terms: sample.text.split(" ").filter(Boolean) });
  if (sample.vector !== undefined) entries.push({ space: dense, vector: Float32Array.from(sample.vector) });
  await ledger.index(user, { grains: [{ grainId, entries }], spaces: [lexical, dense] });
}
