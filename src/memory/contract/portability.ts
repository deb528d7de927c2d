import assert from "node:assert/strict";
import type { ExportLine } from "../../flux/export-line.ts";
import type { ScopedMemory } from "../agent-memory.ts";
import { fails, inputs, linesOf, told } from "./samples.ts";
import { type Group, test } from "./suite.ts";

/** Lines as they come out of a file, without what an import stamps itself. */
function kept(lines: readonly ExportLine[]): unknown[] {
  return (JSON.parse(JSON.stringify(lines.slice(1))) as Record<string, unknown>[]).map(
    ({ recordedAt: _at, version: _version, ...line }) => line,
  );
}

/** What a user's memory answers to all that it can be asked. */
async function answers(user: ScopedMemory): Promise<unknown> {
  const plain = (some: readonly object[]): unknown[] =>
    some.map((one) => {
      const {
        recordedAt: _at,
        updatedAt: _updated,
        traceId: _trace,
        ...rest
      } = one as Record<string, unknown>;
      return rest;
    });
  const { items } = await user.facts.query({ history: true, order: "oldest" });
  const then = await Promise.all(
    items.map(async ({ recordedFrom }) => (await user.facts.query({ knownAt: recordedFrom })).items),
  );
  const scored = await user.recallScored("Where did I live?");
  const { lastSeen, ...profile } = await user.profile();
  return {
    ...{ items, then, lastSeen, profile: { ...profile, userId: undefined } },
    facts: (await user.recallFacts("Where do I live?")).map(({ id, score }) => [id, score]),
    episodes: scored.map(({ score, episode }) => [score, ...plain([episode])]),
    blocks: plain(await user.working()),
    messages: plain(await user.sessionMessages()),
  };
}

export const portability: Group = {
  name: "portability",
  cases: [
    test("what is exported is imported as it was, and gives the same answers", async ({ open, clock }) => {
      const memory = await open();
      const alice = memory.for({ userId: "alice", sessionId: "s", agentId: "coach" });
      await told(memory, alice, "I live in Porto.", "I like tea.");
      clock.advance(1000);
      await told(memory, alice, "I have moved from Porto to Berlin.");
      const transcript = [{ role: "tool", content: "1 lamp", toolCallId: "c1" }] as const;
      await alice.remember({ input: "What did I order?", output: "A lamp.", transcript, metadata: { n: 1 } });
      await alice.updateBlock("persona", "Kind.", { pinned: true });
      await memory.for({ userId: "alice" }).updateBlock("shared", "For all agents.");
      await memory.flush();
      const lines = await linesOf(alice);
      const bob = memory.for({ userId: "bob", sessionId: "s", agentId: "coach" });
      const report = await bob.import(lines);
      assert.deepEqual([report.mentioned, report.expired, report.conflicts], [0, 0, 0]);
      assert.deepEqual(kept(await linesOf(bob)), kept(lines));
      assert.deepEqual(await answers(bob), await answers(alice));
      const again = await bob.import(lines);
      assert.deepEqual([again.stored, again.conflicts], [0, 0]);
      assert.deepEqual(kept(await linesOf(bob)), kept(lines));
    }),

    test("an import adds to what is there, and overwrites none of it", async ({ open }) => {
      const memory = await open();
      const alice = memory.for({ userId: "alice" });
      await told(memory, alice, "I like tea.");
      await alice.updateBlock("persona", "Kind.");
      const bob = memory.for({ userId: "bob" });
      await told(memory, bob, "I have a dog.");
      await bob.updateBlock("persona", "Stern.");
      const report = await bob.import(await linesOf(alice));
      assert.equal(report.conflicts, 1);
      assert.deepEqual(inputs((await bob.episodes.list({ order: "oldest" })).items), [
        "I have a dog.",
        "I like tea.",
      ]);
      assert.deepEqual(
        (await bob.working()).map(({ content }) => content),
        ["Stern."],
      );
    }),

    test("what was forgotten comes back by an import, with its facts", async ({ open }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice" });
      await told(memory, user, "I live in Porto.");
      const lines = await linesOf(user);
      await user.forget();
      assert.equal((await user.import(lines)).conflicts, 0);
      assert.deepEqual(inputs((await user.episodes.list()).items), ["I live in Porto."]);
      assert.deepEqual(
        (await user.facts.query()).items.map(({ object }) => object),
        ["Porto"],
      );
      await user.forget();
      assert.deepEqual((await user.facts.query({ history: true })).items, []);
    }),

    test("what is no export is refused with the number of the line", async ({ open }) => {
      const user = (await open()).for({ userId: "alice" });
      const header = { type: "flux-memory", version: 2, exportedAt: 0 } as const;
      const wrong: [unknown, RegExp][] = [
        [[{ type: "record", text: "x" }], /^Line 1: /],
        [[header, { type: "record", id: "e", kind: "episode", input: 5 }], /^Line 2: /],
        [[header, { type: "fact", id: "f", userId: "bob" }], /^Line 2: /],
      ];
      for (const [lines, message] of wrong) {
        const error = await fails("invalid_argument", () => user.import(lines as never));
        assert.match(error.message, message);
      }
      assert.equal((await linesOf(user)).length, 1);
    }),
  ],
};
