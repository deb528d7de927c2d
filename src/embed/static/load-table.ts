import { FluxError } from "../../model/errors.ts";
import { WordTable } from "./word-table.ts";

/** From src/ and from dist/ alike. Bundlers for browsers take this form as an asset to ship. */
const shipped = (): URL => new URL("../../../data/words-en.bin", import.meta.url);

let loaded: Promise<WordTable> | undefined;

/** The table that the package ships: read once a process, by the file system where there is one, else by fetch. */
export function shippedTable(): Promise<WordTable> {
  loaded ??= readTable(shipped()).catch((error: unknown) => {
    // The next call tries again: a network may be back by then.
    loaded = undefined;
    throw error;
  });
  return loaded;
}

/** @throws FluxError `unavailable` if it cannot be read, `storage_corrupt` if it is no table */
export async function readTable(location: URL): Promise<WordTable> {
  let bytes: Uint8Array;
  try {
    bytes = location.protocol === "file:" ? readFile(location) : await download(location);
  } catch (cause) {
    const options = { retryable: location.protocol !== "file:", cause };
    throw new FluxError("unavailable", "The table of word vectors could not be read", options);
  }
  // Sections are read in place, as numbers of two and four bytes.
  return new WordTable(bytes.byteOffset % 4 === 0 ? bytes : bytes.slice());
}

/** Asked of the process, as an import of a Node built-in would not bundle for browsers. At once: it takes 2 ms, in turns 20. */
function readFile(location: URL): Uint8Array {
  return process.getBuiltinModule("node:fs").readFileSync(location);
}

async function download(location: URL): Promise<Uint8Array> {
  const response = await fetch(location);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
