/** Words in one block; a longer block takes less room and more time. */
export const blockSize = 16;
/** No word is longer. */
const longestWord = 255;

/**
 * A sorted list of ASCII words, front coded: a word is stored as the number of letters that it shares with the word before
 * it, the number of those that follow, and these. Every 16th word is stored whole, and finding a word is a binary search
 * over those. Nothing has to be built when the list is loaded.
 */
export class WordList {
  readonly size: number;
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  /** The word that was decoded last; shared, as making a string of each word takes most of the time. */
  readonly #word = new Uint8Array(longestWord);

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
      const start = this.#starts[middle] ?? 0;
      if (compare(this.#bytes, start + 2, this.#bytes[start + 1] ?? 0, word) <= 0) low = middle;
      else high = middle - 1;
    }
    const end = Math.min((low + 1) * blockSize, this.size);
    let position = this.#starts[low] ?? 0;
    for (let index = low * blockSize; index < end; index++) {
      const length = this.#decode(position);
      const order = compare(this.#word, 0, length, word);
      if (order >= 0) return order === 0 ? index : -1;
      position += 2 + (this.#bytes[position + 1] ?? 0);
    }
    return -1;
  }

  /** The word at a place. */
  at(index: number): string {
    const block = Math.floor(index / blockSize);
    let position = this.#starts[block] ?? 0;
    let length = this.#decode(position);
    for (let i = block * blockSize; i < index; i++) {
      position += 2 + (this.#bytes[position + 1] ?? 0);
      length = this.#decode(position);
    }
    let word = "";
    for (let i = 0; i < length; i++) word += String.fromCharCode(this.#word[i] ?? 0);
    return word;
  }

  /** Reads the word at a position, the one before it being the last that was read; its length. */
  #decode(position: number): number {
    const shared = this.#bytes[position] ?? 0;
    const rest = this.#bytes[position + 1] ?? 0;
    for (let i = 0; i < rest; i++) this.#word[shared + i] = this.#bytes[position + 2 + i] ?? 0;
    return shared + rest;
  }
}

/** Below 0 if the letters come before the word, above 0 if after. */
function compare(letters: Uint8Array, start: number, length: number, word: string): number {
  const shorter = Math.min(length, word.length);
  for (let i = 0; i < shorter; i++) {
    const difference = (letters[start + i] ?? 0) - word.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return length - word.length;
}
