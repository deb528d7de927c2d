import { describe, expect, test, vi } from "vitest";
import { cached } from "./cached.ts";
import type { Embedder } from "./embedder.ts";

const document = { kind: "document" } as const;

/** Vectors of the length of the text; notes what it was asked. */
function scripted(answer?: (signal: AbortSignal | undefined) => Promise<void>) {
  const asked: string[] = [];
  const embedder: Embedder = {
    id: "scripted",
    dimensions: 2,
    async embed(texts, { kind, signal }) {
      asked.push(`${kind}: ${texts.join("|")}`);
      await answer?.(signal);
      return texts.map((text) => Float32Array.from([text.length, kind === "query" ? 1 : 0]));
    },
  };
  return { embedder, asked };
}

describe("cached", () => {
  test("embeds a text once, and only what is missing", async () => {
    const { embedder, asked } = scripted();
    const remembering = cached(embedder);
    expect(await remembering.embed(["a", "bb", "a"], document)).toEqual(
      await embedder.embed(["a", "bb", "a"], document),
    );
    await remembering.embed(["bb", "ccc"], document);
    expect(asked).toEqual(["document: a|bb", "document: a|bb|a", "document: ccc"]);
    expect(await remembering.embed([], document)).toEqual([]);
  });

  test("keeps queries and documents apart", async () => {
    const { embedder, asked } = scripted();
    const remembering = cached(embedder);
    await remembering.embed(["a"], document);
    const [vector] = await remembering.embed(["a"], { kind: "query" });
    expect(vector?.[1]).toBe(1);
    expect(asked).toHaveLength(2);
  });

  test("callers at the same time share the work", async () => {
    const { embedder, asked } = scripted();
    const remembering = cached(embedder);
    const all = await Promise.all(
      Array.from({ length: 20 }, () => remembering.embed(["same", "text"], document)),
    );
    expect(asked).toEqual(["document: same|text"]);
    expect(all.every(([vector]) => vector?.[0] === 4)).toBe(true);
  });

  test("what one caller does to a vector, no other sees", async () => {
    const remembering = cached(scripted().embedder);
    const [vector] = await remembering.embed(["abc"], document);
    vector?.fill(7);
    expect((await remembering.embed(["abc"], document))[0]).toEqual(Float32Array.from([3, 0]));
  });

  test("what the embedder does to its vectors later, nobody sees", async () => {
    const shared = Float32Array.of(1, 2);
    const remembering = cached({ id: "shared", dimensions: 2, embed: async () => [shared] });
    await remembering.embed(["a"], document);
    shared.fill(7);
    expect(await remembering.embed(["a"], document)).toEqual([Float32Array.of(1, 2)]);
  });

  test("texts that change during the call do not count", async () => {
    const { embedder } = scripted(async () => undefined);
    const texts = ["abc"];
    const call = cached(embedder).embed(texts, document);
    texts[0] = "other";
    expect(await call).toEqual([Float32Array.of(3, 0)]);
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["too few", [Float32Array.of(1, 2)]],
    ["too many", Array.from({ length: 3 }, () => Float32Array.of(1, 2))],
    ["a hole", Object.assign(Array(2), { 0: Float32Array.of(1, 2) })],
    ["a shorter one", [Float32Array.of(1, 2), Float32Array.of(1)]],
    ["plain numbers", [Float32Array.of(1, 2), [1, 2]]],
    ["no number", [Float32Array.of(1, 2), Float32Array.of(1, Number.NaN)]],
  ])("an answer with %s is an error, and nothing of it is remembered", async (_, answer) => {
    let calls = 0;
    const good = [Float32Array.of(1, 2), Float32Array.of(3, 4)];
    const embed = async () => (calls++ === 0 ? (answer as Float32Array[]) : good);
    const remembering = cached({ id: "broken", dimensions: 2, embed });
    await expect(remembering.embed(["a", "b"], document)).rejects.toMatchObject({
      code: "dimension_mismatch",
    });
    expect(await remembering.embed(["a", "b"], document)).toEqual(good);
  });

  test("forgets what was used least, and nothing that was just used", async () => {
    const { embedder, asked } = scripted();
    // An entry takes about 130 bytes: two fit.
    const remembering = cached(embedder, { maxBytes: 300 });
    for (const text of ["a", "b", "a", "c", "a", "b"]) await remembering.embed([text], document);
    expect(asked.map((call) => call.at(-1))).toEqual(["a", "b", "c", "b"]);
  });

  test("with no room, still answers", async () => {
    const { embedder, asked } = scripted();
    const remembering = cached(embedder, { maxBytes: 0 });
    expect(await remembering.embed(["a", "bb"], document)).toHaveLength(2);
    await remembering.embed(["a"], document);
    expect(asked).toHaveLength(2);
    expect(() => cached(embedder, { maxBytes: -1 })).toThrow(
      expect.objectContaining({ code: "invalid_argument" }),
    );
    expect(() => cached(embedder, { maxBytes: Number.NaN })).toThrow();
  });

  test("a failure reaches all who wait, and is not remembered", async () => {
    let broken = true;
    const { embedder, asked } = scripted(async () => {
      if (broken) throw new Error("broken");
    });
    const remembering = cached(embedder);
    const calls = [remembering.embed(["a"], document), remembering.embed(["a"], document)];
    for (const call of calls) await expect(call).rejects.toThrow("broken");
    broken = false;
    expect(await remembering.embed(["a"], document)).toHaveLength(1);
    expect(asked).toHaveLength(2);
  });

  test("an abort ends the wait of who aborted, and the work when nobody waits any more", async () => {
    const seen: AbortSignal[] = [];
    const finish = Promise.withResolvers<void>();
    const { embedder, asked } = scripted(async (signal) => {
      if (signal) seen.push(signal);
      await finish.promise;
    });
    const remembering = cached(embedder);
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [first, second].map(({ signal }) => remembering.embed(["a"], { ...document, signal }));
    first.abort(new Error("first"));
    await expect(calls[0]).rejects.toThrow("first");
    expect(seen[0]?.aborted).toBe(false);
    second.abort(new Error("second"));
    await expect(calls[1]).rejects.toThrow("second");
    expect(seen[0]?.aborted).toBe(true);
    // The next caller does not join what was given up.
    const next = remembering.embed(["a"], document);
    finish.resolve();
    expect(await next).toHaveLength(1);
    expect(asked).toHaveLength(2);
  });

  test("is the embedder it was made of in all else", () => {
    const { embedder } = scripted();
    const related = vi.fn(() => []);
    expect(cached(embedder)).toMatchObject({ id: "scripted", dimensions: 2 });
    expect(cached(embedder)).not.toHaveProperty("related");
    cached({ ...embedder, related }).related?.("word", 3);
    expect(related).toHaveBeenCalledWith("word", 3);
  });
});
