import type { Trace } from "../model/trace.ts";
import { utf8Length } from "../model/unicode.ts";
import type { RecallHit } from "../recall/result.ts";
import { cutToBytes } from "../text/cut.ts";
import { contentMark, fingerprint } from "./content-key.ts";
import type { Scope } from "./scope.ts";

/** UTF-8 bytes of a trace and of the query in it. */
const maxTraceBytes = 2048;
const maxQueryBytes = 256;
/** What a record has besides its content: id, numbers and property names. */
const overhead = 160;

/**
 * The record of a recall: the query's beginning and the best hits, as many as fit. With ids of this package and labels of at
 * most 200 bytes together these are 15 at least.
 */
export function traceOf(
  id: string,
  {
    query,
    hits,
    scope,
    expiresAt,
  }: {
    readonly query: string;
    readonly hits: readonly RecallHit[];
    readonly scope: Scope;
    readonly expiresAt: number;
  },
): Trace {
  const { sessionId, agentId, caller } = scope;
  const trace: Trace = {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(caller === undefined ? {} : { caller }),
    query: cutToBytes(query, maxQueryBytes),
    // There is nothing to say of a recall that found nothing.
    ...(hits.length === 0 ? { feedback: "complete" as const } : {}),
    hits: [],
    expiresAt,
  };
  // The query is kept as it is, without the escapes that JSON needs.
  let bytes = overhead + utf8Length(JSON.stringify({ ...trace, query: "" })) + utf8Length(trace.query);
  for (const hit of hits) {
    const entry = {
      grainId: hit.id,
      score: Math.round(hit.score * 10_000) / 10_000,
      fingerprint: fingerprint(id, contentMark(hit.text)),
    };
    bytes += utf8Length(JSON.stringify(entry)) + 1;
    if (bytes > maxTraceBytes) break;
    trace.hits.push(entry);
  }
  return trace;
}
