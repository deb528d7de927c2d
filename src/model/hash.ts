import { sha256 } from "@noble/hashes/sha2.js";

const encoder = new TextEncoder();

/** SHA-256 of a list of strings. As a JSON array, no two lists are the same text, whatever the strings hold. */
export function digest(...parts: readonly string[]): Uint8Array {
  return sha256(encoder.encode(JSON.stringify(parts)));
}

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";

/** Lower-case Crockford base 32 without padding: 16 bytes become 26 characters. */
export function base32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let pending = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += crockford[(pending >> bits) & 31];
    }
    pending &= (1 << bits) - 1;
  }
  return bits > 0 ? text + crockford[(pending << (5 - bits)) & 31] : text;
}
