import type { SpeedText } from "../speed-texts.ts";

/** What is compared: one user's memory, through the interface that its users have. */
export interface PeerStore extends AsyncDisposable {
  /** Ready to be found, and acknowledged, when it resolves. */
  add(texts: readonly SpeedText[]): Promise<unknown>;
  /** @returns how much was found */
  search(text: SpeedText, question: string): Promise<number>;
  /** Texts that are there. */
  count(): Promise<number>;
}

export interface PeerContender {
  readonly name: string;
  /** What is behind the name, and what it does not do, for the report. */
  readonly about: string;
  /** Makes a new, empty store in a folder of its own. */
  open(folder: string): Promise<PeerStore>;
}

/** As a line of a conversation, for those that store plain text. */
export function plain({ speaker, content }: SpeedText): string {
  return `${speaker}: ${content}`;
}
