// Vectors for groups of letters, so that a word that the table does not have gets a vector from its parts.
import { letterGroups } from "../../src/embed/static/letter-groups.ts";
import { addTo, dot, scaled, type Vector } from "./algebra.ts";
import { seededRandom } from "./random.ts";

const rounds = 10;
const step = 0.03;

/** Fits the mean of a word's groups to its vector, by least squares with AdaGrad; every 50th word only tests it. */
export function fitLetterGroups(
  words: readonly string[],
  vectors: readonly Vector[],
  rows: number,
): Vector[] {
  const size = vectors[0]?.length ?? 0;
  const table = Array.from({ length: rows }, () => new Float32Array(size));
  const squares = Array.from({ length: rows }, () => new Float32Array(size).fill(1e-4));
  const groups = words.map((word) => letterGroups(word, rows));
  const meanOfGroups = (word: number): Vector => {
    const sum = new Float32Array(size);
    const places = groups[word] as number[];
    for (const place of places) addTo(sum, table[place] as Vector, 1 / places.length);
    return sum;
  };
  const random = seededRandom(5);
  for (let round = 0; round < rounds; round++) {
    const order = words.map((_, word) => ({ word, key: random() })).sort((a, b) => a.key - b.key);
    for (const { word } of order) {
      if (word % 50 === 0) continue;
      const error = meanOfGroups(word);
      addTo(error, vectors[word] as Vector, -1);
      for (const place of groups[word] as number[]) {
        const row = table[place] as Vector;
        const square = squares[place] as Vector;
        for (let i = 0; i < size; i++) {
          const slope = error[i] as number;
          square[i] = (square[i] as number) + slope * slope;
          row[i] = (row[i] as number) - (step * slope) / Math.sqrt(square[i] as number);
        }
      }
    }
  }
  const cosines = words.flatMap((_, word) => {
    const guess = meanOfGroups(word);
    const truth = vectors[word] as Vector;
    return word % 50 === 0 ? [dot(guess, truth) / Math.sqrt(dot(guess, guess) * dot(truth, truth) || 1)] : [];
  });
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  console.log(`  cosine with the vectors of ${cosines.length} words that were left out: ${mean.toFixed(4)}`);
  return table.map((row) => scaled(row, 1));
}
