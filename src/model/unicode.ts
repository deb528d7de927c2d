/** The length of a string in UTF-8 bytes; a lone surrogate counts three, as its replacement does. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate pair is four bytes in two units; anything else from U+0800 on is three bytes in one.
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(i + 1))) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

/** Orders strings by their UTF-8 bytes, as SQLite's BINARY and PostgreSQL's "C" collations do. */
export function compareUtf8(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Whether the text can be stored by every backend as it is: well-formed, and without NUL. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Replaces lone surrogates and NUL by U+FFFD, so that every backend stores the same text. */
export function repairText(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll("\0", "\ufffd");
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

// In UTF-16 the surrogates (code points above U+FFFF) sort before U+E000 to U+FFFF; in UTF-8 they sort after.
function codePointRank(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}
