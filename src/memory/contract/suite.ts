import type { ContractCase } from "../../store/contract/contract-case.ts";
import { ManualClock } from "../../store/contract/manual-clock.ts";
import type { AgentMemory } from "../agent-memory.ts";
import type { MemoryOptions } from "../spec.ts";

/** How the suite reaches the memory under test. */
export interface AgentMemoryContractOptions {
  /** Makes a memory on a new, empty store. The suite closes it. Options are to be handed on to `resolveMemory`. */
  open(options: MemoryOptions): Promise<AgentMemory> | AgentMemory;
  /** For stores that outlive their memory: makes a new, empty store and returns a name for it. */
  place?(): Promise<string> | string;
  /** Makes a memory on the store of that name, any number of times; needed with `place`. */
  reopen?(place: string, options: MemoryOptions): Promise<AgentMemory> | AgentMemory;
}

/** What a case gets: every memory that is opened through it is closed with the case. */
export interface Setup {
  readonly clock: ManualClock;
  open(options?: MemoryOptions): Promise<AgentMemory>;
}

export interface DurableSetup extends Setup {
  place(): Promise<string>;
  reopen(place: string, options?: MemoryOptions): Promise<AgentMemory>;
}

type Definition = { readonly name: string; readonly timeout?: number } & (
  | { readonly durable: false; readonly run: (setup: Setup) => Promise<void> }
  | { readonly durable: true; readonly run: (setup: DurableSetup) => Promise<void> }
);

export interface Group {
  readonly name: string;
  readonly cases: readonly Definition[];
}

/** A case for every memory. */
export function test(name: string, run: (setup: Setup) => Promise<void>, timeout?: number): Definition {
  return { name, durable: false, run, ...(timeout === undefined ? {} : { timeout }) };
}

/** A case for memories whose store outlives them. */
export function durableTest(name: string, run: (setup: DurableSetup) => Promise<void>): Definition {
  return { name, durable: true, run };
}

/** The cases of the groups that the memory can be asked for. */
export function memoryCases(
  groups: readonly Group[],
  options: AgentMemoryContractOptions,
): readonly ContractCase[] {
  const { place, reopen } = options;
  const lasting = place !== undefined && reopen !== undefined;
  return groups.flatMap(({ name: group, cases }) =>
    cases
      .filter(({ durable }) => lasting || !durable)
      .map(({ name, run, timeout }) => ({
        group,
        name,
        run: () => isolated(options, run as (setup: DurableSetup) => Promise<void>),
        ...(timeout === undefined ? {} : { timeout }),
      })),
  );
}

async function isolated(
  { open, place, reopen }: AgentMemoryContractOptions,
  run: (setup: DurableSetup) => Promise<void>,
): Promise<void> {
  // A workday's noon, so that "yesterday" and "last week" stay in the year.
  const clock = new ManualClock(Date.UTC(2026, 4, 20, 12));
  const opened: AgentMemory[] = [];
  const used = (memory: AgentMemory): AgentMemory => {
    opened.push(memory);
    return memory;
  };
  const unavailable = (): never => {
    throw new TypeError("The contract's options do not offer this");
  };
  // By the hash of words: fast, and the same everywhere.
  const defaults: MemoryOptions = { clock, embedder: "hash", logger: false };
  try {
    await run({
      clock,
      open: async (more) => used(await open({ ...defaults, ...more })),
      place: async () => (place ?? unavailable)(),
      reopen: async (name, more) => used(await (reopen ?? unavailable)(name, { ...defaults, ...more })),
    });
  } finally {
    for (const memory of opened.reverse()) await memory.close({ timeout: 0 });
  }
}
