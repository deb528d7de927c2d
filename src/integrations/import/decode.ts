/** The longest line or element that is read, in UTF-16 units: what is longer is left out, and never held in memory. */
export const maxUnits = 100_000_000;

type Decoder = InstanceType<typeof TextDecoder>;

/**
 * Decodes a file: UTF-8, or UTF-16 where a byte order mark says so. Bytes that are no text of that encoding become U+FFFD.
 *
 * @param onReplaced told once, when that happened
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  onReplaced: () => void = () => undefined,
): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  let told = false;
  let start = new Uint8Array();
  const decode = (part: Uint8Array | undefined): string => {
    const text = (decoder as Decoder).decode(part, { stream: part !== undefined });
    // A U+FFFD that the file itself holds is none that was put in; the two are told apart where it matters most, in UTF-8.
    if (!told && text.includes("\ufffd") && !(part !== undefined && holdsReplacement(part))) {
      told = true;
      onReplaced();
    }
    return text;
  };
  for await (const part of bytes) {
    if (decoder !== undefined) {
      yield decode(part);
      continue;
    }
    start = joined(start, part);
    if (start.length < 3) continue;
    decoder = decoderFor(start);
    yield decode(start);
  }
  decoder ??= decoderFor(start);
  yield start.length < 3 ? decode(start) + decode(undefined) : decode(undefined);
}

function decoderFor([first, second]: Uint8Array): Decoder {
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le");
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be");
  return new TextDecoder();
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function holdsReplacement(bytes: Uint8Array): boolean {
  for (let i = bytes.indexOf(0xef); i >= 0; i = bytes.indexOf(0xef, i + 1)) {
    if (bytes[i + 1] === 0xbf && bytes[i + 2] === 0xbd) return true;
  }
  return false;
}
