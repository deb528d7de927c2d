import { sha256 } from "@noble/hashes/sha2.js";

const encoder = new TextEncoder();

// Node's own is several times as fast. A browser's cannot be used: it answers later.
const native = globalThis.process?.getBuiltinModule?.("node:crypto")?.hash;

/** SHA-256 of a list of strings. As a JSON array, no two lists are the same text, whatever the strings hold. */
export function digest(...parts: readonly string[]): Uint8Array {
  const text = JSON.stringify(parts);
  if (native === undefined) return sha256(encoder.encode(text));
  // Node takes longer to make a buffer than to hash.
  const binary = native("sha256", text, "binary");
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";

/** Lower-case Crockford base 32 without padding: 16 bytes become 26 characters. */
export function base32(bytes: Uint8Array): string {
  const codes = new Array<number>(Math.ceil((bytes.length * 8) / 5));
  let length = 0;
  let bits = 0;
  let pending = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      codes[length++] = crockford.charCodeAt((pending >> bits) & 31);
    }
    pending &= (1 << bits) - 1;
  }
  if (bits > 0) codes[length] = crockford.charCodeAt((pending << (5 - bits)) & 31);
  return String.fromCharCode(...codes);
}
