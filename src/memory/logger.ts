import type { AgentMemoryStatus } from "./agent-memory.ts";

/** Told once of every store that is created, with what was chosen for it; `console` is one. Never told a secret. */
export interface MemoryLogger {
  info(message: string): void;
}

// Each new store in memory would say the same.
const said = new Set<string>();

/** Says in one line what was chosen for a new store: once in a process where it is the same. */
export function logChoices(
  logger: MemoryLogger,
  {
    backend,
    embedder,
    embedderFrom,
    withFacts,
  }: Pick<AgentMemoryStatus, "backend" | "embedder" | "embedderFrom" | "withFacts">,
): void {
  const vectors = embedder === undefined ? "no embedder" : `embedder ${embedder.id} (${embedderFrom})`;
  const line = `flux-memory: new store, ${backend}; ${vectors}; ${withFacts ? "with facts" : "no facts"}`;
  if (logger === console && said.has(line)) return;
  said.add(line);
  logger.info(line);
}
