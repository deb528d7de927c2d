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
