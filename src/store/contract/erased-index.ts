import assert from "node:assert/strict";
import type { ErasureScope } from "../erasures.ts";
import { alice, each } from "./expectations.ts";
import { keep, matchTerms, names, nearestTo, type Sample, withSpaces } from "./indexing.ts";
import { group, test } from "./suite.ts";

/** A term that nothing else holds, so that its bytes can be looked for. */
const secret = "zanzibarquartz";

export const erasedIndex = group("erasure, index", [
  test("the index forgets what was erased, its terms and vectors too", async ({ open }) => {
    const scopes: Record<string, ErasureScope> = {
      "an owner": { refs: [{ kind: "text", id: "secret" }] },
      "a grain": { refs: [{ kind: "grain", id: "secret" }] },
      "a session": { sessionId: "s" },
      everything: { everything: true },
    };
    await each(scopes, async (scope) => {
      const indexed = await withSpaces(await open());
      const { ledger } = indexed;
      const other: Record<string, Sample> = { kept: { text: "tea milk", vector: [0, 1, 0] } };
      await keep(indexed, other);
      await keep(indexed, {
        secret: { text: `tea ${secret}`, vector: [1, 0, 0], grain: { sessionId: "s" } },
      });
      await keep(indexed, other, { user: { namespace: "default", userId: "other" } });
      const before = await matchTerms(indexed, ["tea", secret]);
      assert.deepEqual(before.frequencies, [2, 1]);
      const receipt = await ledger.erase(alice, { operation: "erase", ...scope });
      for (let tries = 0; tries < 5; tries++) await ledger.maintain();
      const left = "everything" in scope ? 0 : 1;
      const after = await matchTerms(indexed, ["tea", secret]);
      assert.deepEqual(
        [after.documents, after.frequencies, after.averageLength],
        [left, [left, 0], 2 * left],
      );
      assert.equal((await nearestTo(indexed, [1, 0, 0])).length, left);
      const report = await ledger.verify(alice, receipt.id, { probes: [secret] });
      assert.deepEqual([report.clean, report.leftovers, report.probes?.rows], [true, {}, 0]);
      assert.ok(
        report.probes?.files === undefined || report.probes.files === 0,
        "the files still hold the term",
      );
      const others = await matchTerms(indexed, ["tea"], { user: { namespace: "default", userId: "other" } });
      assert.deepEqual(names(others), ["kept"]);
    });
  }),

  test("many entries that go at once leave nothing", async ({ open }) => {
    const indexed = await withSpaces(await open());
    const { ledger } = indexed;
    const count = 150;
    const samples = (name: string): Record<string, Sample> =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          `${name}${i}`,
          { text: `${name} number${i} ${name === "gone" ? secret : "tea"}`, vector: [1, 0, 0] },
        ]),
      );
    await keep(indexed, samples("kept"), { operation: "kept" });
    await keep(indexed, samples("gone"), { operation: "gone" });
    const refs = Array.from({ length: count }, (_, i) => ({ kind: "text", id: `gone${i}` }));
    const receipt = await ledger.erase(alice, { operation: "erase", refs });
    for (let tries = 0; tries < 5; tries++) await ledger.maintain();
    const found = await matchTerms(indexed, [secret, "gone", "kept", "number7"], { limit: 1000 });
    assert.deepEqual([found.documents, found.frequencies], [count, [0, 0, count, 1]]);
    assert.equal((await nearestTo(indexed, [1, 0, 0], { limit: 1000 })).length, count);
    const report = await ledger.verify(alice, receipt.id, { probes: [secret] });
    assert.deepEqual([report.clean, report.leftovers, report.probes?.rows], [true, {}, 0]);
    assert.ok(
      report.probes?.files === undefined || report.probes.files === 0,
      "the files still hold the term",
    );
  }),
]);
