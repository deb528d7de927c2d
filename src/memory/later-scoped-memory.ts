import type { Scope } from "../flux/scope.ts";
import type { ScopedMemory } from "./agent-memory.ts";
import type { Blocks } from "./blocks.ts";
import type { Episodes } from "./episodes.ts";
import { later } from "./later.ts";
import { laterFacts } from "./later-facts.ts";
import { withoutFacts } from "./without-facts.ts";

/** The memory of a scope, whose code is loaded by its first call. */
export function laterScopedMemory(
  { partition, sessionId, agentId }: Scope,
  {
    withFacts,
    run,
  }: {
    readonly withFacts: boolean;
    readonly run: <R>(call: (memory: ScopedMemory) => Promise<R>) => Promise<R>;
  },
): ScopedMemory {
  return {
    ...{ ...partition, sessionId, agentId },
    ...later<Omit<ScopedMemory, "import">>(run, {
      ...{ working: true, updateBlock: true, appendBlock: true, remember: true, recall: true },
      ...{ recallScored: true, recallFacts: true, sessionMessages: true, consolidate: true },
      ...{ profile: true, forget: true, retention: true, setRetention: true },
    }),
    blocks: later<Blocks>((call) => run((memory) => call(memory.blocks)), {
      ...{ get: true, list: true, pin: true, reorder: true, delete: true },
    }),
    episodes: later<Episodes>((call) => run((memory) => call(memory.episodes)), {
      ...{ get: true, list: true, update: true, delete: true },
    }),
    get facts() {
      if (!withFacts) throw withoutFacts();
      return laterFacts((call) => run((memory) => call(memory.facts)));
    },
    // Lines are read as they are stored.
    import: (lines, options) => run((memory) => memory.import(lines, options)),
    async *export(options) {
      yield* (await run(async (memory) => memory)).export(options);
    },
  };
}
