import type { Turn } from "./recall-set.ts";

/** What is filled and asked: ours, or what one could write by hand. A user is a partition. */
export interface RecallMemory extends AsyncDisposable {
  readonly embedder: string;
  /** Stores turns of one session, which follow on those before. */
  add(user: string, turns: readonly Turn[]): Promise<void>;
  recall(user: string, question: string, options: RecallRequest): Promise<Recalled>;
}

export interface RecallRequest {
  /** How many turns. */
  readonly k: number;
  /** When it is asked, in milliseconds. Undefined: now. */
  readonly now: number | undefined;
}

export interface Recalled {
  /** Ids of turns, the best first, each once. */
  readonly turns: readonly string[];
  /** Whether they answer the question; higher is surer. */
  readonly confidence: number;
}

/** A turn as a reader would see it, for those who index plain text. */
export function renderTurn({ speaker, text, caption }: Turn): string {
  return caption === undefined ? `${speaker}: ${text}` : `${speaker}: ${text} [image: ${caption}]`;
}
