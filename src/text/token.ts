/** One unit of the index: a term and where it stands. */
export interface Token {
  /** The folded, stemmed form, at most 128 UTF-16 units; equal terms match. */
  readonly term: string;
  /** UTF-16 offsets into the text that was analysed, half-open. */
  readonly start: number;
  readonly end: number;
  /**
   * Counts words, stop words included, so that phrases can be checked by distance. The whole of a compound ("user_id")
   * shares the position of its first part.
   */
  readonly position: number;
}

/**
 * The longest term in UTF-16 units; what is longer is represented by its beginning. UUIDs, hashes and all but the longest
 * words and URLs fit, and a megabyte without a space does not become a term of a megabyte.
 */
export const maxTermUnits = 128;
