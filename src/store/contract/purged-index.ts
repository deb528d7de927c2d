import assert from "node:assert/strict";
import { find } from "../read.ts";
import { alice } from "./expectations.ts";
import { keep, matchTerms, names, nearestTo, withSpaces } from "./indexing.ts";
import { purgeOf, timed } from "./purging.ts";
import { group, test } from "./suite.ts";

export const purgedIndex = group("index, purges", [
  test("what is hidden is found by no search and no look for duplicates, and is found again afterwards", async ({
    open,
  }) => {
    const store = await timed(open);
    const { ledger } = store;
    const indexed = await withSpaces(ledger);
    await keep(indexed, {
      a: { text: "tea", vector: [1, 0, 0] },
      b: { text: "tea", vector: [0.8, 0.6, 0], grain: { sessionId: "s" } },
    });
    const look = async (): Promise<unknown> => [
      names(await matchTerms(indexed, ["tea"])).sort(),
      names(await matchTerms(indexed, ["tea"], { limit: 1, where: { sessionIds: [null] } })),
      names(await nearestTo(indexed, [1, 0, 0])),
      names(await nearestTo(indexed, [1, 0, 0], { limit: 1 })),
      (await ledger.read([alice], [find("text", { index: "byForm", prefix: ["note"] })]))[0].items.length,
    ];
    const before = await look();
    const { id } = await purgeOf(store, "p", ["text", "a"]);
    assert.deepEqual(await look(), [["b"], [], ["b"], ["b"], 1]);
    await ledger.undo(alice, { purge: id, operation: "u" });
    assert.deepEqual(await look(), before);
  }),
]);
