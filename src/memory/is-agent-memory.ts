import type { AgentMemory } from "./agent-memory.ts";

const methods = ["for", "status", "flux", "flush", "work", "close"] as const satisfies (keyof AgentMemory)[];

/** Whether a value has the methods of an agent's memory. */
export function isAgentMemory(value: unknown): value is AgentMemory {
  const object: { readonly [name: string]: unknown } = Object(value);
  return typeof value === "object" && methods.every((name) => typeof object[name] === "function");
}
