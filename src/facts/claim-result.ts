/** What became of a claim. */
export interface ClaimResult {
  /** The fact that it is about now. Of an ignored claim, the one that stands against it, if there is one. */
  readonly factId?: string;
  /** The version that it made, or that stands. */
  readonly versionId?: string;
  /**
   * `added` a fact; `reinforced` one that was known; `closed` what held until then, by a fact that holds since or by nothing;
   * `inserted_past` before what is known to hold later; `retracted` what was never so; `ignored` when it changed nothing.
   */
  readonly outcome: "added" | "reinforced" | "closed" | "inserted_past" | "retracted" | "ignored";
  /** The rule by which it was decided, by name. */
  readonly reason: string;
}
