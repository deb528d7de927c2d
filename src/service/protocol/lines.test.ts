import { expect, test } from "vitest";
import { readBytes, readLines } from "./lines.ts";

const tooLong = () => new Error("too long");

function streamOf(...chunks: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      controller.close();
    },
  });
}

async function linesOf(maxLength: number, ...chunks: (string | Uint8Array)[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(readBytes(streamOf(...chunks)), { maxLength, tooLong }))
    lines.push(line);
  return lines;
}

test("lines are found wherever chunks end", async () => {
  expect(await linesOf(100, "a\nb", "c\n\nd")).toEqual(["a", "bc", "", "d"]);
  expect(await linesOf(100, "a\r", "\nb\n")).toEqual(["a", "b"]);
  expect(await linesOf(100)).toEqual([]);
});

test("a character may be cut in two", async () => {
  const bytes = new TextEncoder().encode("né🎉e\nx");
  for (let cut = 1; cut < bytes.length; cut++)
    expect(await linesOf(100, bytes.slice(0, cut), bytes.slice(cut))).toEqual(["né🎉e", "x"]);
});

test("a line that is too long is refused before it is read to its end", async () => {
  expect(await linesOf(3, "abc\nabc")).toEqual(["abc", "abc"]);
  await expect(linesOf(3, "ab", "cd")).rejects.toThrow("too long");
});

test("bytes that are not UTF-8 are refused, also at the end", async () => {
  await expect(linesOf(9, Uint8Array.of(0xff))).rejects.toThrow(TypeError);
  await expect(linesOf(9, Uint8Array.of(0xc3))).rejects.toThrow(TypeError);
});

test("a stream that is left early is cancelled", async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("a\n")),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const line of readLines(readBytes(stream))) {
    expect(line).toBe("a");
    break;
  }
  expect(cancelled).toBe(true);
});
