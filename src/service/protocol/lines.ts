/**
 * Cuts a stream of UTF-8 bytes into lines, without their ends. The last one needs no line feed.
 *
 * @param limit of the length of a line, in UTF-16 units, with the error for a longer one; none by default
 * @throws TypeError for bytes that are not UTF-8
 */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  limit: { readonly maxLength: number; readonly tooLong: () => Error } | undefined = undefined,
): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  // Pieces, so that a long line is not copied once for each chunk.
  let pieces: string[] = [];
  let length = 0;
  const take = (piece: string): void => {
    length += piece.length;
    if (limit !== undefined && length > limit.maxLength) throw limit.tooLong();
    pieces.push(piece);
  };
  const line = (): string => {
    const text = pieces.join("");
    pieces = [];
    length = 0;
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  };
  for await (const chunk of bytes) {
    const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
    take(first);
    for (const piece of others) {
      yield line();
      take(piece);
    }
  }
  take(decoder.decode());
  if (length > 0) yield line();
}

/** The chunks of a stream. Where it is left early, the stream is cancelled. Not every browser can iterate over streams. */
export async function* readBytes(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let done = false;
  try {
    for (;;) {
      const result = await reader.read();
      if (result.done) {
        done = true;
        return;
      }
      yield result.value;
    }
  } finally {
    // A stream that broke has told of it already.
    if (!done) await reader.cancel().catch(() => undefined);
  }
}
