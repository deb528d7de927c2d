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

/** Texts that are there, with what is claimed of them. */
async function openWithTexts(count: number) {
  const opened = await openMemory(inMemoryStore, { embedder: false });
  const { memory, flux } = opened;
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push((await memory.store(`text ${i}`)).id);
  const idOf = (i: number): string => ids[i] ?? "";
  return {
    ...opened,
    idOf,
    claim: (i: number, object: string, more: Partial<Claim> = {}) =>
      memory.facts.add({
        ...{ subject: "user", predicate: "lives_in", object, saidAt: minute },
        ...{ sources: [{ kind: "text", id: idOf(i) }], ...more },
      }),
    async replace(i: number): Promise<void> {
      await memory.update(idOf(i), { text: "something else" });
      await flux.work({ once: true });
    },
    async erase(i: number): Promise<void> {
      await memory.erase({ id: idOf(i) });
      await flux.work({ once: true });
    },
    objects: async () => (await memory.facts.query()).items.map(({ object }) => object),
  };
}

for (const how of ["replace", "erase"] as const)
  test(`what several said and nobody believes keeps what is left of it after one did ${how === "erase" ? "go" : "change"}`, async () => {
    const opened = await openWithTexts(3);
    await using _ = opened;
    const guess = { provenance: "ai_inferred", confidence: 0.5 } as const;
    await opened.claim(0, "Tokyo", guess);
    await opened.claim(1, "Tokyo", guess);
    await opened.claim(2, "Osaka");
    await opened[how](1);
    expect(await opened.objects()).toEqual(["Osaka"]);
    await opened.erase(2);
    expect(await opened.objects()).toEqual(["Tokyo"]);
    const { items } = await opened.memory.facts.query();
    expect(items.map(({ sources }) => sources.map(({ id }) => id))).toEqual([[opened.idOf(0)]]);
  });

test("what was told to the memory itself stays when what bears it out says something else", async () => {
  const opened = await openWithTexts(1);
  await using _ = opened;
  await opened.claim(0, "Tokyo", { sources: [], confidence: 0.6 });
  await opened.claim(0, "Tokyo", { saidAt: 2 * minute, confidence: 0.6 });
  const [before] = (await opened.memory.facts.query()).items;
  expect(before).toMatchObject({ object: "Tokyo", mentions: 1 });
  await opened.replace(0);
  const [after] = (await opened.memory.facts.query()).items;
  expect(after).toMatchObject({ object: "Tokyo", factId: before?.factId, confidence: 0.6, mentions: 0 });
  expect(after?.sources).toEqual([]);
});
