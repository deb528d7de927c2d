import type { Claim } from "../claim.ts";

/** A claim with the words that state it: UTF-16 offsets in the text that it was read from, half-open. */
export type SpannedClaim = Claim & { readonly span: { readonly start: number; readonly end: number } };
