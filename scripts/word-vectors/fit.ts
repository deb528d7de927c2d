// Word vectors whose sum over a sentence points where the sentence encoder points.
import { addTo, dot, scaled, unit, type Vector } from "./algebra.ts";
import { seededRandom } from "./random.ts";

export interface Lesson {
  /** Places of the words in the vocabulary. */
  readonly words: readonly number[];
  /** Where their sum should point; of length 1. */
  readonly target: Vector;
}

const rounds = 5;
const step = 0.02;
/** How strongly a vector is held to where it started; words that are rare in the sentences stay close to it. */
const hold = 0.02;
const batch = 512;
/** Not learned from, to see how well it goes. */
const heldOut = 0.03;

/**
 * Raises the cosine between the sum of a sentence's words and its target, by gradient steps of AdaGrad (Duchi et al. 2011).
 * Frequent words lose their weight by themselves, where the encoder passes over them.
 */
export function fitToSentences(start: readonly Vector[], lessons: readonly Lesson[]): Vector[] {
  const vectors = start.map((vector) => vector.slice());
  const squares = start.map((vector) => new Float32Array(vector.length));
  const learned = lessons.slice(Math.floor(lessons.length * heldOut));
  const tests = lessons.slice(0, lessons.length - learned.length);
  console.log(
    `  cosine on ${tests.length} other sentences: ${agreement(vectors, tests).toFixed(4)} at the start`,
  );
  const random = seededRandom(3);
  for (let round = 1; round <= rounds; round++) {
    const order = learned.map((lesson) => ({ lesson, key: random() })).sort((a, b) => a.key - b.key);
    for (let first = 0; first < order.length; first += batch) {
      const gradients = new Map<number, Vector>();
      for (const { lesson } of order.slice(first, first + batch)) addGradient(gradients, vectors, lesson);
      for (const [word, gradient] of gradients) {
        const vector = vectors[word] as Vector;
        const square = squares[word] as Vector;
        const origin = start[word] as Vector;
        for (let i = 0; i < vector.length; i++) {
          const slope = gradient[i] as number;
          square[i] = (square[i] as number) + slope * slope;
          const pull = hold * ((vector[i] as number) - (origin[i] as number));
          vector[i] = (vector[i] as number) - step * (slope / (Math.sqrt(square[i] as number) + 1e-6) + pull);
        }
      }
    }
    console.log(`  ${agreement(vectors, tests).toFixed(4)} after round ${round}`);
  }
  return vectors;
}

/** The gradient of 1 - cosine is the same for every word of the sentence. */
function addGradient(gradients: Map<number, Vector>, vectors: readonly Vector[], lesson: Lesson): void {
  const sum = sumOf(vectors, lesson.words);
  const length = Math.sqrt(dot(sum, sum)) + 1e-6;
  const direction = scaled(sum, 1 / length);
  const cosine = dot(direction, lesson.target);
  const gradient = direction.map((value, i) => (cosine * value - (lesson.target[i] as number)) / length);
  for (const word of lesson.words) {
    const known = gradients.get(word);
    if (known) addTo(known, gradient);
    else gradients.set(word, gradient.slice());
  }
}

function agreement(vectors: readonly Vector[], lessons: readonly Lesson[]): number {
  const cosines = lessons.map(({ words, target }) => dot(unit(sumOf(vectors, words)), target));
  return cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
}

export function sumOf(vectors: readonly Vector[], words: readonly number[]): Vector {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const word of words) addTo(sum, vectors[word] as Vector);
  return sum;
}
