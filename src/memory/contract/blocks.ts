import assert from "node:assert/strict";
import type { ScopedMemory } from "../agent-memory.ts";
import { fails } from "./samples.ts";
import { durableTest, type Group, test } from "./suite.ts";

const seen = async (user: ScopedMemory): Promise<string[]> =>
  (await user.working()).map(({ name, content }) => `${name}: ${content}`);

export const blocks: Group = {
  name: "blocks",
  cases: [
    test("a block is made, replaced, appended to and read, in the order in which blocks were made", async ({
      open,
      clock,
    }) => {
      const user = (await open()).for({ userId: "alice" });
      const made = await user.updateBlock("persona", "Be kind.");
      await user.updateBlock("about", "Likes tea.");
      assert.deepEqual(await seen(user), ["persona: Be kind.", "about: Likes tea."]);
      clock.advance(1000);
      const appended = await user.appendBlock("persona", "Be short.");
      assert.equal(appended.content, "Be kind.\nBe short.");
      assert.deepEqual(appended, { ...made, content: appended.content, updatedAt: clock.now() });
      assert.equal(
        (await user.appendBlock("persona", "!", { separator: "" })).content,
        "Be kind.\nBe short.!",
      );
      await user.updateBlock("persona", "Be brief.");
      assert.deepEqual(await seen(user), ["persona: Be brief.", "about: Likes tea."]);
      assert.equal((await user.appendBlock("new", "first")).content, "first");
      assert.equal((await user.blocks.get("about"))?.content, "Likes tea.");
      assert.equal(await user.blocks.get("missing"), undefined);
      assert.deepEqual(await user.blocks.list(), await user.working());
    }),

    test("fifty appends at the same time lose nothing, and make one block", async ({ open }) => {
      const memory = await open();
      const lines = Array.from({ length: 50 }, (_, i) => `line ${i}`);
      await Promise.all(lines.map((line) => memory.for({ userId: "alice" }).appendBlock("log", line)));
      const [block, ...others] = await memory.for({ userId: "alice" }).working();
      assert.deepEqual(others, []);
      assert.deepEqual(block?.content.split("\n").sort(), [...lines].sort());
    }),

    test("an operation has its effect once, and another change under its id is refused", async ({ open }) => {
      const user = (await open()).for({ userId: "alice" });
      for (let i = 0; i < 3; i++) await user.appendBlock("log", "once", { operation: "op-1" });
      assert.deepEqual(await seen(user), ["log: once"]);
      await fails("operation_conflict", () => user.appendBlock("log", "twice", { operation: "op-1" }));
      await fails("operation_conflict", () => user.updateBlock("log", "once", { operation: "op-1" }));
      assert.deepEqual(await seen(user), ["log: once"]);
    }),

    test("a content over the block's size is refused with what there is and what may be, and changes nothing", async ({
      open,
    }) => {
      const user = (await open()).for({ userId: "alice" });
      await user.updateBlock("big", "é".repeat(4096));
      await fails("too_large", () => user.updateBlock("big", `${"é".repeat(4096)}!`));
      await fails("too_large", () => user.appendBlock("big", "!"));
      await fails("too_large", () => user.updateBlock("other", "x".repeat(8193)));
      assert.equal((await user.working()).length, 1);
      await user.updateBlock("small", "12345", { maxBytes: 5 });
      const error = await fails("too_large", () => user.appendBlock("small", "6", { separator: "" }));
      assert.match(error.message, /6 bytes.*at most 5/);
      await user.updateBlock("small", "x".repeat(20_000), { maxBytes: 20_000 });
      assert.equal((await user.blocks.get("small"))?.maxBytes, 20_000);
      for (const maxBytes of [0, -1, 1.5, 2_000_000])
        await fails("invalid_argument", () => user.updateBlock("small", "", { maxBytes }));
    }),

    test("there are at most a hundred blocks", async ({ open }) => {
      const user = (await open()).for({ userId: "alice" });
      await Promise.all(Array.from({ length: 100 }, (_, i) => user.updateBlock(`block ${i}`, "")));
      await fails("too_large", () => user.updateBlock("one more", ""));
      await user.updateBlock("block 7", "still there");
      assert.equal((await user.working()).length, 100);
    }),

    test("blocks are pinned and put in order", async ({ open }) => {
      const user = (await open()).for({ userId: "alice" });
      for (const name of ["a", "b", "c", "d"]) await user.updateBlock(name, name);
      const order = async (): Promise<string> => (await user.working()).map(({ name }) => name).join("");
      await user.blocks.reorder(["d", "b"]);
      assert.equal(await order(), "dbac");
      await user.blocks.pin("c");
      assert.equal(await order(), "cdba");
      await user.updateBlock("e", "", { pinned: true });
      assert.equal(await order(), "cedba");
      await user.blocks.pin("c", { pinned: false });
      assert.equal(await order(), "edbac");
      await user.updateBlock("a", "", { position: -100 });
      assert.equal(await order(), "eadbc");
      await fails("not_found", () => user.blocks.reorder(["a", "missing"]));
      await fails("not_found", () => user.blocks.pin("missing"));
      await fails("invalid_argument", () => user.blocks.reorder(["a", "a"]));
      assert.equal(await order(), "eadbc");
    }),

    test("an agent's own block stands over the shared one, which its writes leave as it is", async ({
      open,
    }) => {
      const memory = await open();
      const shared = memory.for({ userId: "alice" });
      const coder = memory.for({ userId: "alice", agentId: "coder" });
      const cook = memory.for({ userId: "alice", agentId: "cook" });
      await shared.updateBlock("persona", "Be kind.");
      await shared.updateBlock("about", "Likes tea.");
      assert.deepEqual(await seen(coder), await seen(shared));
      await coder.appendBlock("persona", "Write tests.");
      assert.deepEqual(await seen(coder), ["persona: Be kind.\nWrite tests.", "about: Likes tea."]);
      assert.deepEqual(await seen(shared), ["persona: Be kind.", "about: Likes tea."]);
      await cook.updateBlock("recipes", "None yet.");
      assert.deepEqual(await seen(cook), ["persona: Be kind.", "about: Likes tea.", "recipes: None yet."]);
      await cook.blocks.pin("about");
      assert.equal((await cook.working())[0]?.name, "about");
      assert.equal((await shared.working())[0]?.name, "persona");
      assert.equal(await cook.blocks.delete("persona"), false);
      assert.equal(await coder.blocks.delete("persona"), true);
      assert.deepEqual(await seen(coder), await seen(shared));
    }),

    test("a block is deleted once, and can be made anew", async ({ open }) => {
      const user = (await open()).for({ userId: "alice" });
      await user.updateBlock("note", "old");
      assert.equal(await user.blocks.delete("note", { operation: "op-1" }), true);
      assert.equal(await user.blocks.delete("note", { operation: "op-1" }), true);
      assert.equal(await user.blocks.delete("note"), false);
      await user.appendBlock("note", "new");
      assert.deepEqual(await seen(user), ["note: new"]);
    }),

    test("wrong names, contents and options are refused before anything is written", async ({ open }) => {
      const user = (await open()).for({ userId: "alice" });
      await fails("invalid_id", () => user.updateBlock("", "x"));
      await fails("invalid_id", () => user.appendBlock(5 as never, "x"));
      await fails("invalid_argument", () => user.updateBlock("a", undefined as never));
      await fails("invalid_argument", () => user.appendBlock("a", "x", { seperator: " " } as never));
      await fails("invalid_argument", () => user.updateBlock("a", "x", { position: 0.5 }));
      await fails("invalid_argument", () => user.updateBlock("a", "x", { pinned: "yes" as never }));
      assert.deepEqual(await user.working(), []);
    }),

    test("text that no store could hold is repaired", async ({ open }) => {
      const user = (await open()).for({ userId: "alice" });
      const { content } = await user.updateBlock("note", "a\ud800b\0c");
      assert.equal(content, "a\ufffdb\ufffdc");
    }),

    durableTest("blocks outlive the process", async ({ place, reopen }) => {
      const store = await place();
      const before = await reopen(store);
      await before.for({ userId: "alice" }).updateBlock("persona", "Be kind.");
      await before.for({ userId: null }).updateBlock("persona", "Nobody's.");
      await before.close();
      const after = await reopen(store);
      assert.deepEqual(await seen(after.for({ userId: "alice" })), ["persona: Be kind."]);
      assert.deepEqual(await seen(after.for({ userId: null })), ["persona: Nobody's."]);
      await after.for({ userId: null }).appendBlock("persona", "Still one.");
      assert.equal((await after.for({ userId: null }).working()).length, 1);
    }),
  ],
};
