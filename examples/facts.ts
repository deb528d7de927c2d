/**
 * Facts and their times: what holds, what held, what was believed, what is connected with what, and who is spoken of. Run it with
 * `node examples/facts.ts` after `npm run build`, or give it a store of your own: `node examples/facts.ts sqlite:./memory.db`.
 */
import { Flux } from "flux-memory";

await using flux = await Flux.open(process.argv[2] ?? "inmemory");
const memory = flux.for({ userId: "alice" });
const { facts } = memory;

// Two homes, told in the wrong order: the timeline comes out right.
const [may2024, may2026] = [Date.UTC(2024, 4, 1), Date.UTC(2026, 4, 1)];
const home = { subject: "user", predicate: "lives in" };
await facts.add([
  { ...home, object: "Porto", saidAt: may2026 },
  { ...home, object: "Tokyo", saidAt: may2024 },
  { subject: "user", predicate: "has sister", object: "Ines" },
  { subject: "Ines", predicate: "works at", object: "Acme" },
  { subject: "Acme", predicate: "located in", object: "Lisbon" },
]);

const homes = async (times: { asOf?: number; history?: boolean }): Promise<string> =>
  (await facts.query({ ...home, ...times })).items.map(({ object }) => object).join(", ");
console.log(`Lives in: ${await homes({})}`);
console.log(`Lived in, in May 2025: ${await homes({ asOf: Date.UTC(2025, 4, 1) })}`);
console.log(`All homes: ${await homes({ history: true })}`);

// By words and meaning, with the reasons.
const { hits } = await facts.recall("Where does Ines have her job?", { limit: 1 });
for (const { subject, predicate, object, signals } of hits)
  console.log(`\nFound: ${subject} ${predicate} ${object}, by ${signals.map(({ name }) => name).join(", ")}`);

// From one to the next.
const { paths } = await facts.graph("What is the user's sister doing?", { hops: 3 });
for (const path of paths) console.log(path.render());

// A correction is a new version; the old one stays for who asks what was believed.
const [first] = hits;
if (first !== undefined) {
  const corrected = await facts.update(first.id, { object: "Globex" }, { ifVersion: first.id });
  console.log(`\nCorrected to ${corrected.object}; the history:`);
  for (const { object, retiredReason = "believed" } of await facts.history(corrected.factId))
    console.log(`  ${object}: ${retiredReason}`);
}

// Who and what is spoken of, for a prompt.
console.log(`\n${await memory.entityContext()}`);
