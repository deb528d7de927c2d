import { descriptorOf, readFile } from "./database-files.ts";

/** Bytes above which a text is looked for in pieces, since SQLite spreads long values over pages. */
const longestWhole = 64;
const longestPiece = 512;
const mostPieces = 16;

/** Places in the files of a database that hold one of the texts, plain or as JSON writes it. */
export async function searchFiles(
  path: string,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number> {
  const wanted = texts
    .flatMap((text) => [...new Set([text, JSON.stringify(text).slice(1, -1)])])
    .map((text) => pieces(Buffer.from(text)));
  let places = 0;
  for (const suffix of ["", "-wal", "-shm"]) {
    const descriptor = descriptorOf(path + suffix);
    if (descriptor === undefined) continue;
    const counts = await countPieces(descriptor, wanted, signal);
    // A text is there as often as the piece of it that was found most.
    for (const pieceCounts of counts) places += Math.max(...pieceCounts);
  }
  return places;
}

/**
 * A short text as it is; of a long one pieces, so that it is found although a page ends within it, and although only a part
 * of it is left.
 */
function pieces(text: Buffer): readonly Buffer[] {
  if (text.length <= longestWhole) return [text];
  const size = Math.min(longestPiece, Math.floor(text.length / 2));
  const count = Math.min(mostPieces, Math.floor(text.length / size));
  const step = (text.length - size) / (count - 1);
  return Array.from({ length: count }, (_, i) => {
    const start = Math.round(i * step);
    return text.subarray(start, start + size);
  });
}

async function countPieces(
  descriptor: number,
  wanted: readonly (readonly Buffer[])[],
  signal: AbortSignal | undefined,
): Promise<number[][]> {
  const counts = wanted.map((list) => list.map(() => 0));
  const overlap = longestPiece - 1;
  let tail: Buffer = Buffer.alloc(0);
  for await (const { chunk } of readFile(descriptor, signal)) {
    const bytes = Buffer.concat([tail, chunk]);
    wanted.forEach((list, i) => {
      list.forEach((piece, j) => {
        // What lies in the tail as a whole was counted with the chunk before.
        const from = Math.max(0, tail.length - piece.length + 1);
        const row = counts[i] as number[];
        row[j] = (row[j] ?? 0) + count(bytes, piece, from);
      });
    });
    tail = bytes.subarray(Math.max(0, bytes.length - overlap));
  }
  return counts;
}

function count(bytes: Buffer, piece: Buffer, from: number): number {
  let found = 0;
  for (let at = bytes.indexOf(piece, from); at >= 0; at = bytes.indexOf(piece, at + piece.length)) found += 1;
  return found;
}
