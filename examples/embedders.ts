/** What embedders find close to a question, and how to bring your own: `node examples/embedders.ts` after `npm run build`. */
import { type Embedder, FluxError, HashEmbedder, ShingleHashEmbedder } from "flux-memory";
import { aiSdkEmbedder, cached, resolveEmbedder, staticEmbedder } from "flux-memory/embed";

const memories = [
  "My kitten has been ill since Monday",
  "We moved to a bigger flat in Lisbon",
  "I took up the violin again",
  "The quarterly budget was approved",
];

async function rank(embedder: Embedder, question: string): Promise<void> {
  const documents = await embedder.embed(memories, { kind: "document" });
  const [query = new Float32Array()] = await embedder.embed([question], { kind: "query" });
  // All vectors have length 1, so the sum of products is the cosine.
  const cosine = (vector: Float32Array) => vector.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0);
  const best = documents.map((vector, i) => ({ text: memories[i], score: cosine(vector) }));
  const [first] = best.sort((a, b) => b.score - a.score);
  console.log(`${embedder.id}\n  ${question} -> ${first?.text} (${first?.score.toFixed(2)})`);
}

// The embedded default knows that a cat is like a kitten; hashing only knows letters.
const embedder = await staticEmbedder();
for (const question of ["Is the cat sick?", "Which instrument does she play?"])
  await rank(embedder, question);
await rank(new HashEmbedder(), "Is the cat sick?");
await rank(new ShingleHashEmbedder(), "Is the cat sick?");

const related = embedder.related("doctor", 4);
console.log("doctor:", related.map(({ word, similarity }) => `${word} ${similarity.toFixed(2)}`).join(", "));

// Any embedding model of the AI SDK works. This one stands in for it, and fails the first time.
let calls = 0;
const model = {
  specificationVersion: "v3",
  provider: "example",
  modelId: "letters",
  maxEmbeddingsPerCall: 2,
  supportsParallelCalls: false,
  async doEmbed({ values }: { values: string[] }) {
    calls++;
    if (calls === 1) throw Object.assign(new Error("Too many requests"), { statusCode: 429 });
    return { embeddings: values.map((value) => [..."aeiou"].map((vowel) => value.split(vowel).length - 1)) };
  },
};
const remembering = cached(await aiSdkEmbedder(model, { dimensions: 5 }));
await remembering.embed(memories, { kind: "document" });
await remembering.embed(memories, { kind: "document" });
console.log(`${remembering.id}: ${calls} calls for twice four texts, two in a call, one of them made again`);

try {
  await resolveEmbedder("no-such-embedder");
} catch (error) {
  if (FluxError.isInstance(error)) console.log(`${error.code}: ${error.hint}`);
}
