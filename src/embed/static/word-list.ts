/** Words in one block; a longer block takes less room and more time. */
export const blockSize = 16;

/**
 * A sorted list of ASCII words, front coded: a word is stored as the number of letters that it shares with the word before
 * it, the number of those that follow, and these. Every 16th word is stored whole, and finding a word is a binary search
 * over those. Nothing has to be built when the list is loaded.
 */
export class WordList {
  readonly size: number;
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;

  /** @param starts where in the bytes each block of 16 words starts */
  constructor(bytes: Uint8Array, starts: Uint32Array, size: number) {
    this.#bytes = bytes;
    this.#starts = starts;
    this.size = size;
  }

  /** The place of a word in the list, -1 if it is not there. */
  indexOf(word: string): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#headOf(middle) <= word) low = middle;
      else high = middle - 1;
    }
    let found = -1;
    this.#scan(low, (candidate, index) => {
      if (candidate === word) found = index;
      return candidate < word;
    });
    return found;
  }

  /** The word at a place. */
  at(index: number): string {
    let found = "";
    this.#scan(Math.floor(index / blockSize), (word, place) => {
      found = word;
      return place < index;
    });
    return found;
  }

  #headOf(block: number): string {
    const start = this.#starts[block] ?? 0;
    return this.#text(start + 2, this.#bytes[start + 1] ?? 0);
  }

  /** Goes through the words of a block for as long as the visitor says so. */
  #scan(block: number, visit: (word: string, index: number) => boolean): void {
    const first = block * blockSize;
    const end = Math.min(first + blockSize, this.size);
    let position = this.#starts[block] ?? 0;
    let word = "";
    for (let index = first; index < end; index++) {
      const shared = this.#bytes[position] ?? 0;
      const rest = this.#bytes[position + 1] ?? 0;
      word = word.slice(0, shared) + this.#text(position + 2, rest);
      position += 2 + rest;
      if (!visit(word, index)) return;
    }
  }

  #text(start: number, length: number): string {
    let text = "";
    for (let i = 0; i < length; i++) text += String.fromCharCode(this.#bytes[start + i] ?? 0);
    return text;
  }
}
