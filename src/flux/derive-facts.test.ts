import { expect, test } from "vitest";
import { inMemoryStore, openMemory } from "../../test/support/open-memory.ts";
import type { Claim } from "../facts/claim.ts";
import { Choices } from "../store/contract/seeded-randomness.ts";
import { find } from "../store/read.ts";

const alice = { namespace: "default", userId: "alice" };
const minute = 60_000;

/** What a text says, whose id is not known yet. */
type Said = readonly Omit<Claim, "sources">[];

function randomTexts(choices: Choices): readonly Said[] {
  return Array.from({ length: 10 }, (_, i): Said => {
    const claim = (predicate: string, object: string): Claim => ({
      ...{ subject: "user", predicate, object, saidAt: (i + 1) * minute, confidence: 0.6 },
      ...(choices.chance(30) ? { validFrom: { at: i * minute - 1, precision: "instant" as const } } : {}),
      ...(choices.chance(20) ? { provenance: "ai_inferred" as const } : {}),
      ...(choices.chance(15) ? { change: "end" as const } : {}),
      ...(choices.chance(15) ? { affirmed: false } : {}),
    });
    const place = claim("lives_in", choices.of(["Tokyo", "Osaka", "Berlin"]));
    return choices.chance(50) ? [place] : [place, claim("likes", choices.of(["tea", "milk"]))];
  });
}

/** All that is believed, when all has been said in this order and some of it was erased on the way. */
async function believed(texts: readonly Said[], order: readonly number[], erased: ReadonlySet<number>) {
  await using opened = await openMemory(inMemoryStore, { embedder: false });
  const { memory, ledger, flux } = opened;
  const ids: string[] = [];
  const waiting: number[] = [];
  for (const i of order) {
    const { id } = await memory.store(`text ${i}`);
    ids[i] = id;
    const sources = [{ kind: "text", id }];
    await memory.facts.add((texts[i] ?? []).map((claim) => ({ ...claim, sources })));
    if (erased.has(i)) waiting.push(i);
    if (waiting.length === 2) for (const one of waiting.splice(0)) await memory.erase({ id: ids[one] ?? "" });
    if (i % 3 === 0) await flux.work({ once: true });
  }
  for (const one of waiting) await memory.erase({ id: ids[one] ?? "" });
  await flux.work({ once: true });
  await ledger.maintain();
  await flux.work({ once: true });
  const [page, grains] = await ledger.read(
    [alice],
    [
      find("fact", { index: "byStatus", prefix: ["current"] }),
      find("grain", { index: "byOwner", prefix: ["fact"] }),
    ],
  );
  expect(grains.items.map(({ ownerId }) => ownerId).sort()).toEqual(page.items.map(({ id }) => id).sort());
  return page.items
    .map(({ predicate, object, affirmed, confidence, provenance, mentions = 0, validFrom, validUntil }) =>
      JSON.stringify([predicate, object, affirmed, validFrom, validUntil, confidence, provenance, mentions]),
    )
    .sort();
}

test("what was erased might as well never have been said", async () => {
  const choices = new Choices(11);
  for (let run = 0; run < 8; run++) {
    const texts = randomTexts(choices);
    const order = texts.map((_, i) => i);
    const erased = new Set(order.filter(() => choices.chance(35)));
    const left = order.filter((i) => !erased.has(i));
    expect(await believed(texts, order, erased), `run ${run}`).toEqual(
      await believed(texts, left, new Set()),
    );
  }
});
