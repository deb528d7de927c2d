/** What can be read out of a short text in three languages, without a model: `node examples/text.ts` after `npm run build`. */
import {
  createAnalyser,
  cutToBytes,
  cutToTokens,
  cutToUnits,
  estimatedTokens,
  findDates,
  findNames,
  findPreferences,
  findQuotes,
  loadTokenCounter,
  splitSentences,
} from "flux-memory/text";

const show = (title: string, lines: readonly unknown[]) => console.log(`\n${title}\n `, lines.join("\n  "));

const text =
  "My sister Anna moved to Porto two weeks ago. I'm allergic to peanuts. I can't stand “Nutella”. " +
  "来週、東京に行きます。 Mañana salimos. See you on Friday at 7pm 👨‍👩‍👧";

show(
  "Sentences",
  splitSentences(text).map((sentence) => sentence.text),
);

const analyser = createAnalyser();
show(`Terms (${analyser.id})`, [
  analyser
    .analyse(text)
    .map(({ term }) => term)
    .join(" "),
]);

show(
  "Names",
  findNames(text).map(({ text: name, kind }) => `${name}: ${kind}`),
);

// Said on a Wednesday evening in Lisbon. Without `at`, nothing relative would be found.
const said = { at: Date.parse("2023-05-24T20:30Z"), zone: "Europe/Lisbon" };
show(
  "Dates",
  findDates(text, said).map(
    ({ words, start, end, precision }) =>
      `${words}: ${new Date(start).toISOString()} to ${new Date(end).toISOString()}, a ${precision}`,
  ),
);

show(
  "Preferences",
  findPreferences(text).map(({ kind, object }) => `${kind}: ${object.text}`),
);
show(
  "Quotations",
  findQuotes(text).map((quote) => quote.text),
);

const counter = await loadTokenCounter();
show("Tokens", [
  `${counter.id}${counter.exact ? "" : ", not exact"}: ${counter.count(text)}`,
  `estimated: ${estimatedTokens.count(text)}`,
]);

show("Cuts", [
  `the first 50 units: ${cutToUnits(text, 50)}`,
  `the last 12 units: ${cutToUnits(text, 12, "end")}`,
  `the last 7 units, of which the family takes 8: "${cutToUnits(text, 7, "end")}"`,
  `the first 120 bytes: ${cutToBytes(text, 120)}`,
  `the first 12 tokens: ${cutToTokens(text, 12, counter)}`,
]);
