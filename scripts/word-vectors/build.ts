// Makes data/words-en.bin, the table of the embedded default: `npm run build:vectors [-- FOLDER]`.
// docs/embedders.md says why each step is as it is. FOLDER keeps packages and encoded texts between runs; about 0.5 GB.
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tokenise } from "../../src/text/tokenise.ts";
import {
  centred,
  evened,
  joined,
  principalAxes,
  projected,
  rotation,
  scaled,
  unit,
  type Vector,
  without,
} from "./algebra.ts";
import { encodeAll } from "./encoder.ts";
import { fitToSentences, type Lesson, sumOf } from "./fit.ts";
import { fitLetterGroups } from "./letters.ts";
import { packTable } from "./pack.ts";
import { installPackages } from "./packages.ts";
import { findRelated } from "./related.ts";
import { readSentences } from "./sentences.ts";
import { readVocabulary } from "./vocabulary.ts";

const dimensions = 128;
/** Of 42,730: encoding them takes most of the time of a build. */
const sentenceCount = 12_000;
/** How much GloVe counts beside what was learned from the encoder. */
const gloveShare = 1.2;
/** What all sentences have in common is taken out of GloVe. */
const commonComponents = 3;
const letterGroupRows = 8192;
/** Axes are found from the most frequent words. */
const frequent = 20_000;

const folder = process.argv[2] ?? join(tmpdir(), "flux-word-vectors");
await mkdir(folder, { recursive: true });
log("Installing the packages");
await installPackages(folder);

log("Reading the words");
const { words, weights, glove } = await readVocabulary(folder);
const places = new Map(words.map((word, place) => [word, place]));
const sentences = (await readSentences(folder)).slice(0, sentenceCount);
log(`Encoding ${words.length} words and ${sentences.length} sentences`);
const encodedWords = await encodeAll(folder, words, join(folder, "words.f32"));
const encodedSentences = await encodeAll(folder, sentences, join(folder, "sentences.f32"));

log("Learning from the sentences");
const targets = centred(encodedSentences);
const axes = principalAxes(targets, dimensions);
const lessons = sentences.map((sentence, i): Lesson => {
  const terms = tokenise(sentence, { cjk: "words", compounds: false }).map(({ term }) => places.get(term));
  const known = terms.filter((place) => place !== undefined);
  return { words: known, target: unit(projected(targets[i] as Vector, axes)) };
});
const usable = lessons.filter((lesson) => lesson.words.length > 0);
const single = centred(encodedWords).map((vector, i) =>
  scaled(projected(vector, axes), weights[i] as number),
);
const learned = fitToSentences(evened(single), usable);

log("Adding GloVe");
const weighted = evened(centred(glove)).map((vector, i) => scaled(vector, weights[i] as number));
const sums = usable.slice(0, 15_000).map((lesson) => unit(sumOf(weighted, lesson.words)));
const common = principalAxes(sums, commonComponents);
const both = learned.map((vector, i) =>
  joined(vector, scaled(without(weighted[i] as Vector, common), gloveShare)),
);
const narrow = principalAxes(both.slice(0, frequent), dimensions);
const rotated = rotation(dimensions);
const vectors = both.map((vector) => projected(projected(vector, narrow), rotated));

log("Learning letter groups");
const groupVectors = fitLetterGroups(words, vectors, letterGroupRows);

log("Finding related words");
const related = findRelated(words, vectors.map(unit));

const bytes = packTable({ name: "words-en", words, vectors, groupVectors, related });
await writeFile(new URL("../../data/words-en.bin", import.meta.url), bytes);
log(`Wrote data/words-en.bin, ${(bytes.byteLength / 1e6).toFixed(1)} MB`);

function log(line: string): void {
  console.log(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${line}`);
}
