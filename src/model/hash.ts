import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";

const encoder = new TextEncoder();

/** SHA-256 of the parts, each preceded by its length so that no two lists of parts collide by concatenation. */
export function digest(...parts: readonly string[]): Uint8Array {
  const hash = sha256.create();
  for (const part of parts) {
    const bytes = encoder.encode(part);
    const length = new Uint8Array(8);
    new DataView(length.buffer).setBigUint64(0, BigInt(bytes.length));
    hash.update(length).update(bytes);
  }
  return hash.digest();
}

/** HMAC-SHA-256. */
export function keyedDigest(key: Uint8Array, data: Uint8Array): Uint8Array {
  return hmac(sha256, key, data);
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
