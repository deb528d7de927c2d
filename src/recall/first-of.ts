/** The first so many of items in an order, without ordering all of them; of equal ones those that come first, as a sort has them. */
export function firstOf<T>(items: readonly T[], count: number, compare: (a: T, b: T) => number): T[] {
  const first: T[] = [];
  for (const item of items) {
    const full = first.length >= count;
    if (full && (count <= 0 || compare(item, first[count - 1] as T) >= 0)) continue;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(item, first[middle] as T) < 0) high = middle;
      else low = middle + 1;
    }
    if (full) first.pop();
    first.splice(low, 0, item);
  }
  return first;
}
