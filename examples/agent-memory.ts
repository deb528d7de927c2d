/**
 * The memory of an agent: by URL, for each user a partition, with episodes, blocks and facts that nobody had to ask for. No key, no
 * network and no model. Run it with `node examples/agent-memory.ts` after `npm run build`; with a URL such as sqlite:./bot.db what it
 * remembers stays, and is forgotten at the end.
 */
import { resolveMemory } from "flux-memory/agent";

await using memory = resolveMemory(process.argv[2] ?? "inmemory");
const alice = memory.for({ userId: "alice", sessionId: "monday" });
const bob = memory.for({ userId: "bob", sessionId: "monday" });

// Episodes: what was said, and what was answered.
await alice.remember({ input: "Hi, I'm Alice and I live in Tokyo.", output: "Hello Alice!" });
await alice.remember({ input: "I like jazz, and my sister is called Ines.", output: "Noted." });
await bob.remember({ input: "Hi, I'm Bob.", output: "Hello Bob!" });
const [episode] = await alice.recall("Which music do I like?");
console.log(`Found again: ${episode?.input}`);

// Facts: rules read them out of what was said, in the background.
await memory.flush();
for (const user of [alice, bob]) {
  const facts = await user.recallFacts("Where does she live?");
  console.log(
    `Known of ${user.userId}: ${facts.map(({ predicate, object }) => `${predicate} ${object}`).join(", ")}`,
  );
}
await alice.remember({ input: "I moved to Berlin.", output: "Great!" });
await memory.flush();
const history = await alice.facts.query({ predicate: "lives_in", history: true });
for (const { object, validUntil } of history.items)
  console.log(`lives_in ${object}${validUntil === undefined ? "" : " (no longer)"}`);

// Blocks: what an agent always has before it.
await alice.updateBlock("persona", "Kind, and brief.", { pinned: true });
await alice.appendBlock("to do", "Ask about the concert.");
await alice.appendBlock("to do", "Book a table.");
for (const { name, content } of await alice.working())
  console.log(`[${name}] ${content.replaceAll("\n", " / ")}`);

// A session goes on where it was, with what tools did in between.
await alice.remember({
  input: "What is the weather?",
  output: "18 degrees.",
  transcript: [
    {
      role: "assistant",
      content: "",
      toolCalls: [{ id: "1", name: "weather", arguments: { city: "Berlin" } }],
    },
    { role: "tool", content: "18", toolCallId: "1" },
  ],
});
const messages = await alice.sessionMessages("monday", { limit: 4 });
console.log(`The newest of the session: ${messages.map(({ role }) => role).join(", ")}`);

// Forgetting takes along what was derived, and proves it.
const receipt = await alice.forget({ text: "Ines" });
const { clean } = await receipt.verify({ probes: ["Ines"] });
console.log(`Forgotten: ${JSON.stringify(receipt.counts)}, nothing left: ${clean}`);
const { episodeCount, factCount, recentSessions } = await alice.profile();
console.log(`Alice: ${episodeCount} episodes, ${factCount} facts, sessions ${recentSessions.join(", ")}`);
for (const user of [alice, bob]) await user.forget();
