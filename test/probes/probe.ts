import assert from "node:assert/strict";
import type { FluxMemory } from "../../src/flux/flux-memory.ts";
import type { ScopeOptions } from "../../src/flux/scope.ts";
import { type ErrorCode, FluxError } from "../../src/model/errors.ts";
import { randomId } from "../../src/model/ids.ts";

/** What a probe calls. The memory may be in this process, or at the other end of a connection. */
export type ProbeMemory = Pick<
  FluxMemory,
  | "store"
  | "storeBatch"
  | "recall"
  | "get"
  | "list"
  | "update"
  | "archive"
  | "erase"
  | "feedback"
  | "pendingFeedback"
>;

/** A face of this package over one store, which the probes share: each has a namespace of its own. */
export interface ProbeFace {
  open(scope: ScopeOptions): Promise<ProbeMemory>;
}

/** A check of a behaviour that users of such software report as broken. Its name has the number of the complaint. */
export interface Probe {
  readonly name: string;
  run(face: ProbeFace, namespace: string): Promise<void>;
}

export function probe(name: string, run: Probe["run"]): Probe {
  return { name, run };
}

export function runProbe({ run }: Probe, face: ProbeFace): Promise<void> {
  return run(face, `probe-${randomId()}`);
}

/** The texts of a memory, in the order in which they were stored. */
export async function textsOf(memory: ProbeMemory): Promise<string[]> {
  const texts: string[] = [];
  for (let after: string | undefined; ; ) {
    const { items, cursor } = await memory.list({ order: "oldest", limit: 200, after });
    texts.push(...items.map(({ text }) => text));
    if (cursor === undefined) return texts;
    after = cursor;
  }
}

/** The texts that a recall finds, the best first. */
export async function found(
  memory: ProbeMemory,
  query: string,
  options: Parameters<ProbeMemory["recall"]>[1] = {},
): Promise<string[]> {
  const { hits } = await memory.recall(query, options);
  return hits.map(({ text }) => text);
}

/** Asserts that a call fails with one of some codes. */
export async function refused(call: () => Promise<unknown>, ...codes: readonly ErrorCode[]): Promise<void> {
  await assert.rejects(
    async () => call(),
    (error) => {
      assert.ok(FluxError.isInstance(error), `no FluxError: ${String(error)}`);
      assert.ok(codes.includes(error.code), `${error.code} is none of ${codes.join(", ")}`);
      return true;
    },
  );
}
