export interface BatchLimits {
  /** Texts in one call. */
  readonly texts: number;
  /** UTF-16 units in one call; a single text may be longer. */
  readonly characters: number;
}

/** Splits texts, in order, into as few batches as the limits allow. */
export function batchesOf(texts: readonly string[], limits: BatchLimits): string[][] {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    characters += text.length;
    if (last !== undefined && last.length < limits.texts && characters <= limits.characters) last.push(text);
    else {
      batches.push([text]);
      characters = text.length;
    }
  }
  return batches;
}

/** Runs the work on all items, so many at a time; the first failure stops the rest from starting. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  let failed = false;
  const worker = async (): Promise<void> => {
    while (next < items.length && !failed) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
