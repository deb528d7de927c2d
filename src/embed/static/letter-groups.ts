/**
 * The places, in a table of so many rows, of the groups of three to five letters of a word (Bojanowski et al. 2017,
 * "Enriching Word Vectors with Subword Information"); `<` and `>` stand for its beginning and end. Of a long "word", which
 * is not one, only the first 40 characters count.
 */
export function letterGroups(word: string, rows: number): number[] {
  const letters = ["<", ...word.slice(0, 40), ">"];
  const places: number[] = [];
  for (let start = 0; start < letters.length; start++) {
    let hash = 0x811c9dc5;
    const end = Math.min(start + longest, letters.length);
    for (let i = start; i < end; i++) {
      // FNV-1a; a character above U+FFFF counts as its code point.
      hash = Math.imul(hash ^ (letters[i]?.codePointAt(0) ?? 0), 0x01000193);
      if (i - start + 1 >= shortest) places.push(mixed(hash) % rows);
    }
  }
  return places;
}

const shortest = 3;
const longest = 5;

/** The final mix of MurmurHash3: FNV alone leaves its low bits poor. */
function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
