import type { Contender, Family } from "./families.ts";
import { summarize } from "./measure.ts";
import type { Settings } from "./rates.ts";
import type { Result } from "./report.ts";
import { counter, newOperation, sampleMessage } from "./samples.ts";
import type { BenchStore, Size } from "./store.ts";

const user = "user-0";
const batch = 10;
const keys = Array.from({ length: 100 }, (_, i) => `counter-${i}`);
const parallel = 64;

/** What a record and an operation take on the disk, once logs are worked off and dead rows are cleared. */
export async function measureSizes({ contenders, peer }: Family, settings: Settings): Promise<Result[]> {
  const beside = peer === undefined ? undefined : { name: peer.name, bytes: await sizesOf(peer, settings) };
  const results: Result[] = [];
  for (const contender of contenders) {
    for (const [name, bytes] of await sizesOf(contender, settings)) {
      const due = beside?.bytes.get(name);
      results.push({
        measure: "size",
        case: name,
        store: contender.name,
        unit: "bytes",
        figures: summarize([bytes]),
        ...(beside === undefined || due === undefined
          ? {}
          : {
              peer: { store: beside.name, figures: summarize([due]) },
              ...(bytes > 0 ? { ratio: summarize([due / bytes]) } : {}),
            }),
      });
    }
  }
  return results;
}

async function sizesOf(
  { open }: Contender,
  { records, signal }: Settings,
): Promise<ReadonlyMap<string, number>> {
  const store = await open();
  try {
    const next = counter();
    const append = (count: number): Promise<unknown> => {
      const messages = Array.from({ length: count }, () => sample(next()));
      return store.append(user, newOperation(), messages);
    };
    for (const key of keys) await store.addCounter(user, newOperation(), key);
    const empty = await partsOf(store);
    await repeat(records, signal, () => append(1));
    const single = await partsOf(store);
    await repeat(records / batch, signal, () => append(batch));
    const batched = await partsOf(store);
    await repeat(records, signal, () =>
      store.increment(user, newOperation(), keys[next() % keys.length] ?? ""),
    );
    const updated = await partsOf(store);

    const found = new Map<string, number>();
    const note = (name: string, before: Parts, after: Parts, detailed: boolean): void => {
      found.set(name, (after.total - before.total) / records);
      if (!detailed || after.parts.size < 2) return;
      for (const [part, bytes] of after.parts)
        if (part !== other) found.set(`  its ${part}`, (bytes - (before.parts.get(part) ?? 0)) / records);
    };
    note("a message of its own operation", empty, single, true);
    note(`one of ${batch} messages of an operation`, single, batched, false);
    note("an update", batched, updated, false);
    return found;
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

function sample(number: number) {
  return sampleMessage(number, `session-${number % 100}`);
}

interface Parts {
  readonly total: number;
  readonly parts: ReadonlyMap<string, number>;
}

async function partsOf(store: BenchStore): Promise<Parts> {
  const parts = new Map<string, number>();
  let total = 0;
  for (const size of await store.sizes()) {
    total += size.bytes;
    parts.set(partOf(size), (parts.get(partOf(size)) ?? 0) + size.bytes);
  }
  return { total, parts };
}

/** What is there anyhow, such as the partition itself. */
const other = "other";

function partOf({ table, index }: Size): string {
  if (table === "message") return index ? "indexes" : "row";
  if (table === "operation") return "receipt";
  if (table === "change") return "change";
  return other;
}

async function repeat(times: number, signal: AbortSignal, call: () => Promise<unknown>): Promise<void> {
  let left = times;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (left-- > 0) {
        signal.throwIfAborted();
        await call();
      }
    }),
  );
}
