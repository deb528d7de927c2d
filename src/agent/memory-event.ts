import type { FailureCause } from "../model/failure.ts";

/** A part of a context. */
export type ContextPart = "blocks" | "facts" | "episodes" | "history";

/** Something of a memory that did not work, while the run went on. */
export interface MemoryDegradation {
  readonly part: ContextPart;
  /** Code of the error, see docs/errors.md; its name where it has none; of a part of a recall, that of docs/memory.md. */
  readonly code: string;
  /** In words, without any stored text. */
  readonly reason: string;
  readonly cause?: FailureCause;
}

/** What a run did with its memory. */
export type MemoryEvent =
  | {
      readonly type: "memory_recall";
      /** How many of each are in the context. */
      readonly blocks: number;
      readonly facts: number;
      readonly episodes: number;
      readonly messages: number;
    }
  | ({ readonly type: "memory_degraded" } & MemoryDegradation)
  | {
      readonly type: "memory_write";
      readonly episodeId: string;
      /** `retrying` when it failed and will be tried again, `failed` when it will not. */
      readonly status: "stored" | "retrying" | "failed";
      /** From 1. */
      readonly attempt: number;
      /** What it failed with. */
      readonly cause?: FailureCause;
    };

/** Told of what a run does with its memory. What it throws is left aside: it must not end the run. */
export type MemoryListener = (event: MemoryEvent) => void;

export function tell(listener: MemoryListener | undefined, event: MemoryEvent): void {
  try {
    listener?.(event);
  } catch {
    // The listener's own affair, see above.
  }
}
