import type { Ledger } from "../ledger.ts";
import type { find } from "../read.ts";
import { everyPage } from "./expectations.ts";
import { Choices } from "./seeded-randomness.ts";

/** The order of UTF-8 bytes, by the bytes. */
export function inBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Characters in the order of their bytes. */
export const characters = [
  ...[
    "\u0001",
    "!",
    "0",
    "9",
    "A",
    "Z",
    "_",
    "a",
    "z",
    "~",
    "\u007f",
    "\u0080",
    "é",
    "ÿ",
    "ß",
    "İ",
    "߿",
    "ࠀ",
  ],
  ...["鍵", "힣", "\ue000", "豈", "\ufffd", "\uffff", "\u{10000}", "👍", "\u{2ffff}", "\u{10ffff}"],
];

/** Names whose order differs between bytes, UTF-16 units and languages, in no order. */
export function awkwardNames(): string[] {
  const names = characters.flatMap((one) => [one, `${one}a`, ...characters.map((other) => one + other)]);
  return new Choices(5).shuffled([...new Set(names)]);
}

/** The contents of the messages that a find comes upon. */
export async function contents(ledger: Ledger, options: Parameters<typeof find>[1]): Promise<string[]> {
  return (await everyPage(ledger, "message", options)).map(({ content }) => content);
}
