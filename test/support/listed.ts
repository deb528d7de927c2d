import type { FluxMemory } from "../../src/flux/flux-memory.ts";
import type { ListOptions, MemoryRecord } from "../../src/flux/memory-record.ts";
import type { StoreItem } from "../../src/flux/store-items.ts";

/** All pages of a list. */
export async function pages(memory: FluxMemory, options: ListOptions): Promise<MemoryRecord[][]> {
  const all: MemoryRecord[][] = [];
  for (let after: string | undefined; ; ) {
    const { items, cursor } = await memory.list({ ...options, after });
    all.push([...items]);
    if (cursor === undefined) return all;
    after = cursor;
  }
}

/** All texts of a list. */
export async function texts(memory: FluxMemory, options: ListOptions = {}): Promise<string[]> {
  return (await pages(memory, options)).flat().map(({ text }) => text);
}

/** Stores texts and messages by turns, in two sessions. */
export async function fill(memory: FluxMemory, count: number): Promise<string[]> {
  const all = Array.from({ length: count }, (_, i) => `number ${String(i).padStart(3, "0")}`);
  const items = all.map((text, i): StoreItem => {
    const sessionId = i % 3 === 0 ? "third" : "other";
    const metadata = { parity: i % 2 === 0 ? "even" : "odd" };
    if (i % 2 === 0) return { role: "user", content: text, sessionId, metadata, saidAt: i };
    const provenance = i % 5 === 0 ? "ai_inferred" : "user_stated";
    return { text, sessionId, metadata, provenance, statedAt: i };
  });
  await memory.storeBatch(items);
  return all;
}
