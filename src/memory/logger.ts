import type { AgentMemoryStatus } from "./agent-memory.ts";

/** Told once of every store that is created, with what was chosen for it; `console` is one. Never told a secret. */
export interface MemoryLogger {
  info(message: string): void;
}

/** Lines that this process has written. */
const said = new Set<string>();

/**
 * Writes each line once in a process, since every new store in memory would say the same, and to standard error: standard output may
 * be the wire of a protocol.
 */
export const consoleLogger: MemoryLogger = {
  info(message) {
    if (said.has(message)) return;
    said.add(message);
    console.warn(message);
  },
};

/** Says in one line what was chosen for a new store. */
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
  logger.info(`flux-memory: new store, ${backend}; ${vectors}; ${withFacts ? "with facts" : "no facts"}`);
}
