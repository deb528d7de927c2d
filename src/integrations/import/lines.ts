import { maxUnits } from "./decode.ts";

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without its end; undefined for a line that is too long. */
  readonly text: string | undefined;
}

/** The lines of a text, which end with LF or CRLF. */
export async function* linesOf(text: AsyncIterable<string>, longest = maxUnits): AsyncGenerator<Line> {
  let number = 0;
  let pending: string | undefined = "";
  const take = (rest: string): Line => {
    const line = pending === undefined || pending.length + rest.length > longest ? undefined : pending + rest;
    pending = "";
    number += 1;
    return { number, text: line?.endsWith("\r") ? line.slice(0, -1) : line };
  };
  for await (const part of text) {
    let start = 0;
    for (let end = part.indexOf("\n"); end >= 0; end = part.indexOf("\n", start)) {
      yield take(part.slice(start, end));
      start = end + 1;
    }
    if (pending === undefined) continue;
    pending = pending.length + part.length - start > longest ? undefined : pending + part.slice(start);
  }
  if (pending !== "") yield take("");
}
