import { checkKnown } from "../flux/check-options.ts";
import type { Flux, FluxWorkOptions } from "../flux/flux.ts";
import type { ScopeOptions } from "../flux/scope.ts";
import type { CallOptions } from "../store/driver.ts";
import type {
  AgentMemory,
  AgentMemoryStatus,
  CloseMemoryOptions,
  FlushOptions,
  FlushReport,
  ScopedMemory,
} from "./agent-memory.ts";
import { BoundScopedMemory } from "./bound-scoped-memory.ts";
import { Engine, type EngineOptions } from "./engine.ts";
import { names } from "./option-names.ts";
import { scopeIn } from "./scope-in.ts";

/** A memory whose store is opened by the first call that needs it. */
export class EngineMemory implements AgentMemory {
  readonly #engine: Engine;
  readonly #namespace: string | undefined;

  /** @param namespace of handles that name none */
  constructor(options: EngineOptions, namespace?: string) {
    this.#engine = new Engine(options);
    this.#namespace = namespace;
  }

  for(scope: ScopeOptions): ScopedMemory {
    return new BoundScopedMemory(this.#engine, scopeIn(this.#namespace, scope));
  }

  async status(options: CallOptions = {}): Promise<AgentMemoryStatus> {
    return this.#engine.status(checkKnown(options, names.call));
  }

  flux(): Promise<Flux> {
    return this.#engine.run(async (flux) => flux);
  }

  flush(options: FlushOptions = {}): Promise<FlushReport> {
    return this.#engine.flush(options);
  }

  work(options: FluxWorkOptions = {}): Promise<number> {
    return this.#engine.work(options);
  }

  async close(options: CloseMemoryOptions = {}): Promise<void> {
    return this.#engine.close(options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
