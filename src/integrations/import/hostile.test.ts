import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostileTexts } from "../../../test/support/hostile-texts.ts";
import { readAll } from "../../../test/support/import-source.ts";
import { FluxError } from "../../model/errors.ts";
import { copyMetadata } from "../../model/metadata.ts";
import { importers } from "./formats.ts";
import type { Importer } from "./imported.ts";

/** Names that importers look for, with anything as their values. */
const fields = [
  "id",
  "uuid",
  "conversation_id",
  "title",
  "name",
  "mapping",
  "current_node",
  "message",
  "parent",
];
const more = [
  "author",
  "role",
  "content",
  "parts",
  "content_type",
  "create_time",
  "chat_messages",
  "sender",
  "text",
];
const others = [
  "type",
  "observations",
  "from",
  "to",
  "relationType",
  "messages",
  "metadata",
  "timestamp",
  "session_id",
];
const values = [
  "user",
  "assistant",
  "human",
  "text",
  "entity",
  "relation",
  "all",
  "__proto__",
  ...hostileTexts.slice(0, 12),
];

const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(...values, null, 5, -1, 1e300, true),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...fields, ...more, ...others), tie("value"), { maxKeys: 6 }),
  ),
})).value;

/** Whatever a file holds, what is read of it can be stored, or the file is refused as a whole. */
async function check(importer: Importer, text: string): Promise<void> {
  try {
    for (const found of await readAll(importer, text, "file")) {
      if (found.type === "problem") continue;
      const words = "text" in found.item ? found.item.text : found.item.content;
      expect(words.trim()).not.toBe("");
      expect(
        found.item.metadata === undefined ? undefined : copyMetadata(found.item.metadata).problem,
      ).toBeUndefined();
    }
  } catch (error) {
    if (!FluxError.isInstance(error)) throw error;
    expect(error.code).toBe("invalid_argument");
  }
}

describe.each(Object.entries(importers))("%s", (_, importer) => {
  test("reads any JSON of the names that it knows", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { maxLength: 4 }), async (list) => {
        await check(importer, JSON.stringify(list));
        await check(importer, list.map((value) => JSON.stringify(value)).join("\n"));
      }),
      { numRuns: 500 },
    );
  });

  test("reads any text", async () => {
    for (const text of hostileTexts) await check(importer, text);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), (text) => check(importer, text)),
      { numRuns: 500 },
    );
  });
});
