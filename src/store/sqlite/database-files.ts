import { closeSync, fstatSync, openSync, read, realpathSync, statSync } from "node:fs";
import { promisify } from "node:util";

const readChunk = promisify(read);

/** Bytes that are read at once. A multiple of every page size. */
const chunkBytes = 1024 * 1024;

const descriptors = new Map<string, number>();

/**
 * A descriptor of a file that SQLite locks, or undefined when there is no such file. It stays open: when a process closes
 * any descriptor of a file, POSIX takes away all locks it has on it, SQLite's included, and another process could then
 * destroy the database. (https://sqlite.org/howtocorrupt.html, section 2.2)
 */
export function descriptorOf(path: string): number | undefined {
  closeDeleted();
  const name = fileIdentity(path);
  if (name === undefined) return undefined;
  let descriptor = descriptors.get(name);
  if (descriptor === undefined) {
    descriptor = openWritable(path);
    descriptors.set(name, descriptor);
  }
  return descriptor;
}

function openWritable(path: string): number {
  try {
    return openSync(path, "r+");
  } catch {
    return openSync(path, "r");
  }
}

/** Nobody can lock a file any more that has no name. */
function closeDeleted(): void {
  for (const [name, descriptor] of descriptors) {
    if (fstatSync(descriptor).nlink > 0) continue;
    closeSync(descriptor);
    descriptors.delete(name);
  }
}

/** A file's bytes in chunks of one size, the last one shorter. */
export async function* readFile(
  descriptor: number,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly chunk: Buffer; readonly offset: number }> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let offset = 0; ; ) {
    signal?.throwIfAborted();
    let filled = 0;
    while (filled < chunkBytes) {
      const { bytesRead } = await readChunk(descriptor, buffer, filled, chunkBytes - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    if (filled > 0) yield { chunk: buffer.subarray(0, filled), offset };
    if (filled < chunkBytes) return;
    offset += filled;
  }
}

/** The file itself, where the path leads to it through symbolic links: SQLite's log lies beside the file. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What tells a file from another one that takes its place; undefined when there is none. */
export function fileIdentity(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}
