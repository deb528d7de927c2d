/** A language model that notes down what texts say: `node examples/extraction.ts` after `npm run build`. */
import { Flux, type LanguageModel, partition } from "flux-memory";

const said = "My sister Ines is vegan, and since March I have been living in Porto.";

// In the place of this one: "ollama/llama3.1:8b", "openai/…", or any model of the AI SDK. Some of what it notes is wrong.
const model: LanguageModel = {
  ...{ specificationVersion: "v4", provider: "example", modelId: "notes" },
  async doGenerate() {
    const statements = [
      "The user has been living in Porto since March.",
      "The user's sister Ines is vegan.",
      "The user is vegan.",
      "The user has two dogs.",
    ];
    // As models write it: with a word before it, and a comma too many.
    const list = statements.map((text) => `{"text": ${JSON.stringify(text)}, "from": 1},`).join("\n");
    const text = `Here is what I found:\n\`\`\`json\n{"statements": [${list}]}\n\`\`\``;
    return { content: [{ type: "text", text }], finishReason: { unified: "stop", raw: "stop" } };
  },
};

await using flux = await Flux.open("inmemory", { embedder: "hash", languageModel: model });
const memory = flux.for({ userId: "anna" });

// No write waits for a model: what is said is stored, and found, before the model was asked.
const stored = await memory.store(said);
console.log("at once:", (await memory.recall("Porto")).hits.length, "hit");

await flux.work({ once: true });
const { extraction } = await flux.status();
console.log(`${extraction.mode} with ${extraction.model}, ${extraction.pending.jobs} jobs left`);

// What was said comes first, and then what was derived from it: two statements, for the others are not what the text says.
const { hits } = await memory.recall("Where does the user live, and who is vegan?");
for (const { text, provenance } of hits) console.log(`- ${text} (${provenance})`);

// They go with their text.
await memory.erase({ id: stored.id });
console.log("erased:", (await memory.recall("vegan in Porto")).hits.length, "hits");

// Where no model answers, texts are kept as they are, and the result says so.
const absent = { model: "llama3.1:8b", baseURL: "http://127.0.0.1:9" };
await using alone = await Flux.open("inmemory", { embedder: "hash", languageModel: absent });
while ((await alone.status()).extraction.available === undefined) await new Promise(setImmediate);
const kept = await alone.for({ userId: "anna" }).store(said);
console.log("without a model:", kept.status, kept.degraded?.[0]?.code, kept.degraded?.[0]?.cause?.code);

// Later, when it is back: one job for each text that was left out.
await alone.ledger.append(partition({ userId: "anna" }), {
  operation: `extract/${kept.id}`,
  records: [],
  jobs: [{ queue: "extract", sources: [{ kind: kept.kind, id: kept.id }] }],
});
console.log("waiting:", (await alone.status()).extraction.pending.jobs, "job");
