import { addAbortSignal } from "node:stream";

/** Standard input as bytes, until its end or an abort. */
export function standardInput(signal: AbortSignal): AsyncIterable<Uint8Array> {
  return addAbortSignal(signal, process.stdin);
}

/** All of standard input as text, without the line feed at its end. */
export async function standardInputText(signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of standardInput(signal)) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks)).replace(/\r?\n$/, "");
}
