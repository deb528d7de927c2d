import { maxPieceUnits } from "../../src/flux/pieces.ts";
import type { StoreItem } from "../../src/flux/store-items.ts";
import { seededRandomness } from "../../src/store/contract/seeded-randomness.ts";
import { hostileTexts } from "./hostile-texts.ts";

const hour = 3_600_000;

/** Items of all kinds, chosen by a seed. */
export function randomItems(seed: number, count: number, now: number): StoreItem[] {
  const randomness = seededRandomness(seed);
  const below = (n: number): number => randomness.bytes(2).reduce((sum, byte) => sum * 256 + byte, 0) % n;
  const pick = <T>(...some: readonly T[]): T => some[below(some.length)] as T;
  const maybe = <T extends object>(value: T): Partial<T> => (below(2) === 0 ? value : {});
  return Array.from({ length: count }, (_, i): StoreItem => {
    const text = pick(
      `text ${i}`,
      `text ${below(5)}`,
      ...hostileTexts.filter((text) => text.trim() !== "" && text.length < 5000),
      `${i} ${"word ".repeat(maxPieceUnits / 3)}`,
    );
    const common = {
      ...maybe({ metadata: { n: i, tags: ["a", `b${i}`], ключ: true } }),
      ...maybe({ importance: below(11) / 10 }),
      ...maybe({ pinned: true }),
      ...maybe({ expiresAt: now + hour + below(1000) }),
    };
    const sessionId = pick("monday", "tuesday", "%_*");
    if (below(4) === 0) {
      const transcript = [{ tool: "look", result: { rows: [1, null] } }];
      const sides = { input: pick("", text), output: pick(`answer ${i}`, text) };
      return { ...sides, occurredAt: below(1000), sessionId, ...maybe({ transcript }), ...common };
    }
    if (below(2) === 0) {
      const provenance = pick("user_stated", "ai_stated", "ai_inferred", "external_source");
      const more = { ...maybe({ author: pick("Ann", "Tom") }), ...maybe({ sessionId }) };
      return { text, provenance, statedAt: below(1000), ...more, ...common };
    }
    return {
      ...{ role: pick("system", "user", "assistant", "tool"), sessionId, saidAt: below(5) },
      content: below(5) === 0 ? "" : text,
      ...maybe({ name: pick("Ann", "x".repeat(600)) }),
      ...maybe({ toolCalls: [{ name: "look", input: { a: [1, null, "ä"] } }] }),
      ...maybe({ toolCallId: `call ${i}` }),
      ...common,
    };
  });
}
