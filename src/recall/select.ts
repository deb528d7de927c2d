import { cutToTokens } from "../text/cut.ts";
import type { TokenCounter } from "../text/token-counter.ts";
import { ownerKey } from "./owner-text.ts";
import { renderedFrame, renderMemory } from "./render.ts";
import type { RecallHit } from "./result.ts";
import type { ScoredCandidate } from "./score.ts";

/** Of the pieces of one record only the best stays. */
export function bestPieces(ranking: readonly ScoredCandidate[], limit: number): ScoredCandidate[] {
  const owners = new Set<string>();
  const kept: ScoredCandidate[] = [];
  for (const scored of ranking) {
    if (kept.length >= limit) break;
    const owner = ownerKey(scored.candidate.grain);
    if (owners.has(owner)) continue;
    owners.add(owner);
    kept.push(scored);
  }
  return kept;
}

/**
 * Takes hits in their order as long as they fit a budget of tokens as `renderMemories` writes them. One that does not fit is
 * passed over for shorter ones behind it; if even the first does not fit, it is cut.
 */
export function fitTokens(hits: readonly RecallHit[], maxTokens: number, counter: TokenCounter): RecallHit[] {
  let left = maxTokens - counter.count(renderedFrame);
  const kept: RecallHit[] = [];
  for (const hit of hits) {
    // The line break before it may be a token of its own.
    const tokens = counter.count(renderMemory(hit)) + 1;
    if (tokens <= left) {
      kept.push(hit);
      left -= tokens;
    }
  }
  const [first] = hits;
  if (kept.length > 0 || first === undefined) return kept;
  const room = left - counter.count(renderMemory({ ...first, text: "" })) - 1;
  // Escapes make text longer, so what is cut is checked as it will be written.
  for (let tokens = room; tokens >= 1; tokens = Math.floor(tokens * 0.8)) {
    const text = cutToTokens(first.text, tokens, counter);
    if (text === "") break;
    if (counter.count(renderMemory({ ...first, text })) + 1 <= left)
      return [{ ...first, text, truncated: true }];
  }
  return [];
}
