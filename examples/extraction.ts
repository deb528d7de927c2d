/** Facts and statements out of what is said, by rules and by a language model: `node examples/extraction.ts` after `npm run build`. */
import { Flux, type LanguageModel } from "flux-memory";

const said = "My sister Ines is vegan, and since March I have been living in Porto.";

// By rules alone: no model, no network, and no write waits for them.
await using ruled = await Flux.open("inmemory", { embedder: "hash", autoExtract: true });
const anna = ruled.for({ userId: "anna" });
await anna.store("I live in Rome.", { statedAt: Date.UTC(2024, 0, 10) });
const moved = await anna.store(said, { statedAt: Date.UTC(2024, 4, 7) });
await ruled.work({ once: true });
for (const { subject, predicate, object } of (await anna.facts.query()).items)
  console.log(`- ${subject} ${predicate} ${object}`);
const january = await anna.facts.query({ predicate: "lives_in", asOf: Date.UTC(2024, 0, 20) });
console.log("in January:", january.items.map(({ object }) => object).join());

// A text that is changed is read anew, and one that is erased takes its facts along.
await anna.update(moved.id, { text: "Since March I have been living in Faro." });
await ruled.work({ once: true });
const now = await anna.facts.query({ predicate: "lives_in" });
console.log("now:", now.items.map(({ object }) => object).join());

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
    const claims = [
      { from: 1, change: "ADD", subject: "Ines", predicate: "diet", object: "vegan" },
      { from: 1, change: "ADD", subject: "user", predicate: "diet", object: "vegan" },
      {
        from: 1,
        change: "ADD",
        subject: "user",
        predicate: "lives_in",
        object: "Porto",
        when: "since March",
      },
    ];
    // As models write it: with a word before it, and a comma too many.
    const list = (items: readonly object[]) => items.map((item) => `${JSON.stringify(item)},`).join("\n");
    const noted = list(statements.map((text) => ({ text, from: 1 })));
    const text = `Here is what I found:\n\`\`\`json\n{"statements": [${noted}], "claims": [${list(claims)}]}\n\`\`\``;
    const usage = { inputTokens: { total: 900 }, outputTokens: { total: 120 } };
    return { content: [{ type: "text", text }], finishReason: { unified: "stop", raw: "stop" }, usage };
  },
};

// A budget is asked before every call, and told what it came to.
const languageModel = {
  model,
  budget: ({ inputUnits }: { readonly inputUnits: number }) => inputUnits < 20_000,
  onUsage: ({ inputTokens = 0, outputTokens = 0 }) =>
    console.log(`used: ${inputTokens + outputTokens} tokens`),
};
await using flux = await Flux.open("inmemory", { embedder: "hash", languageModel });
const memory = flux.for({ userId: "anna" });

// What is said is stored, and found, before the model was asked.
const stored = await memory.store(said);
console.log("at once:", (await memory.recall("Porto")).hits.length, "hit");

await flux.work({ once: true });
const { extraction } = await flux.status();
console.log(`${extraction.mode} with ${extraction.model}, ${extraction.pending.jobs} jobs left`);

// What was said comes first, and then what was derived from it: two statements, for the others are not what the text says.
const { hits } = await memory.recall("Where does the user live, and who is vegan?");
for (const { text, provenance } of hits) console.log(`- ${text} (${provenance})`);
// Rules and model agree on most facts, which are there once.
for (const { subject, predicate, object, validFrom } of (await memory.facts.query()).items)
  console.log(
    `- ${subject} ${predicate} ${object}${validFrom?.words === undefined ? "" : `, ${validFrom.words}`}`,
  );

// They go with their text.
await memory.erase({ id: stored.id });
console.log(
  "erased:",
  (await memory.recall("vegan in Porto")).hits.length,
  "hits,",
  await memory.facts.count(),
  "facts",
);

// Where no model answers, texts are kept as they are, rules read them, and the result says what is missing.
const absent = { model: "llama3.1:8b", baseURL: "http://127.0.0.1:9" };
await using alone = await Flux.open("inmemory", { embedder: "hash", languageModel: absent });
while ((await alone.status()).extraction.available === undefined) await new Promise(setImmediate);
const kept = await alone.for({ userId: "anna" }).store(said);
console.log("without a model:", kept.status, kept.degraded?.[0]?.code, kept.degraded?.[0]?.cause?.code);

await alone.work({ once: true });
console.log("facts:", await alone.for({ userId: "anna" }).facts.count());

// Later, when it is back: jobs for what it has not read.
const { jobs } = await alone.for({ userId: "anna" }).extract();
console.log("waiting:", jobs, "job");
