import { expect, test } from "vitest";
import type { Provenance } from "../model/record.ts";
import { Flux } from "./flux.ts";

test("wrong arguments are refused, and the message repeats none of them", async () => {
  await using flux = await Flux.open("inmemory");
  const memory = flux.for({ userId: "alice", sessionId: "s" });
  const secret = "s3cret";
  const wrong: [() => unknown, string][] = [
    [() => memory.store(undefined as never), "invalid_argument"],
    [() => memory.store({ text: secret } as never), "invalid_argument"],
    [() => memory.store("  "), "invalid_argument"],
    [() => memory.store(secret, { category: secret } as never), "invalid_argument"],
    [() => memory.store(secret, "options" as never), "invalid_argument"],
    [() => memory.store(secret, { provenance: secret as Provenance }), "invalid_argument"],
    [() => memory.store(secret, { author: 1 as never }), "invalid_argument"],
    [() => memory.store(secret, { statedAt: Number.NaN }), "invalid_argument"],
    [() => memory.store(secret, { statedAt: new Date() as never }), "invalid_argument"],
    [() => memory.store(secret, { expiresAt: 1.5 }), "invalid_argument"],
    [() => memory.store(secret, { importance: 2 }), "invalid_argument"],
    [() => memory.store(secret, { pinned: 1 as never }), "invalid_argument"],
    [() => memory.store(secret, { metadata: { a: { b: secret } } as never }), "invalid_metadata"],
    [() => memory.store(secret, { signal: {} as never }), "invalid_argument"],
    [() => memory.store(secret, { operation: "" }), "invalid_id"],
    [() => memory.storeBatch({} as never), "invalid_argument"],
    [() => memory.storeBatch([secret as never]), "invalid_argument"],
    [() => memory.storeBatch([{ role: "user", text: secret } as never]), "invalid_argument"],
    [
      () => memory.storeBatch([{ role: "user", content: secret, toolCalls: (() => 1) as never }]),
      "invalid_argument",
    ],
    [() => memory.storeBatch(Array.from({ length: 1001 }, () => ({ text: "x" }))), "too_large"],
    [() => flux.for({ userId: "alice" }).storeBatch([{ role: "user", content: secret }]), "invalid_argument"],
    [() => memory.recall(1 as never), "invalid_argument"],
    [() => memory.recall(secret, { limit: 3 } as never), "invalid_argument"],
    [() => memory.recall(secret, { zone: "Nowhere/At all" }), "invalid_argument"],
    [() => memory.recall(secret, { askedAt: Number.NaN }), "invalid_argument"],
    [async () => flux.for({ userId: undefined } as never), "invalid_user_id"],
    [async () => flux.for({ userId: "a", session: "s" } as never), "invalid_argument"],
    [async () => flux.for({ userId: "a", sessionId: "" }), "invalid_id"],
    [() => flux.work({ onse: true } as never), "invalid_argument"],
    [() => flux.status({ signal: 1 } as never), "invalid_argument"],
    [() => flux.rebuild({ embeder: true } as never), "invalid_argument"],
    [() => Flux.open("inmemory", { embeder: 1 } as never), "invalid_argument"],
    [() => Flux.open("inmemory", { traceRetention: -1 }), "invalid_argument"],
    [() => Flux.open("inmemory", { modelTimeout: 0 }), "invalid_argument"],
    [() => flux.work({ onError: 1 } as never), "invalid_argument"],
    [() => Flux.open("inmemory", { clock: {} as never }), "invalid_argument"],
    [() => Flux.open(5 as never), "invalid_argument"],
    [() => Flux.open(undefined as never), "invalid_argument"],
    [() => Flux.open({ append() {} } as never), "invalid_argument"],
    [() => Flux.open("inmemory", { analyser: { analyse: () => [] } as never }), "invalid_argument"],
    [() => flux.rebuild({ analyser: {} as never }), "invalid_argument"],
    [() => flux.rebuild({ analyser: { id: 5, analyse: () => [] } as never }), "invalid_argument"],
    [() => flux.rebuild({ onProgress: 5 as never }), "invalid_argument"],
    [() => Flux.open("nosuch:store"), "invalid_url"],
  ];
  for (const [i, [call, code]] of wrong.entries()) {
    const error = await Promise.resolve()
      .then(call)
      .then(
        () => undefined,
        (reason: Error & { code: string; hint?: string }) => reason,
      );
    expect([i, error?.code]).toEqual([i, code]);
    expect(`${error?.message} ${error?.hint}`).not.toContain(secret);
  }
});

test("who gives store an item is told what takes items", async () => {
  await using flux = await Flux.open("inmemory");
  const message = { role: "user", content: "hello", sessionId: "s" };
  await expect(flux.for({ userId: "alice" }).store(message as never)).rejects.toMatchObject({
    code: "invalid_argument",
    hint: expect.stringContaining("storeBatch"),
  });
});
