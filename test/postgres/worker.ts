/** What tests let other processes do with a ledger: started by `startWorker`, one task each. */
import { type Change, followChanges, insert, partition } from "../../src/index.ts";
import { postgresLedger } from "../../src/postgres.ts";
import { increment } from "./plans.ts";

export interface WorkerInput {
  readonly task: keyof typeof tasks;
  readonly url: string;
  readonly schema: string;
  /** Makes the operations of this process its own. */
  readonly name?: string;
  /** How many commits, or how many changes to follow. */
  readonly count?: number;
  /** Users u0, u1, … take turns. */
  readonly users?: number;
  /** Callers at a time. */
  readonly callers?: number;
}

const input = JSON.parse(process.argv[2] as string) as WorkerInput;
const { url, schema, name = "", count = 0, users = 1, callers = 1 } = input;
const user = (i: number) => partition({ userId: `u${i % users}` });

/** Runs the work with numbers from 0, several at a time. */
async function times(work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

const tasks = {
  async open(): Promise<unknown> {
    await using ledger = postgresLedger({ url, schema });
    return await ledger.capabilities();
  },

  /** Appends a message a commit, and reports each one that was acknowledged. */
  async append(): Promise<unknown> {
    await using ledger = postgresLedger({ url, schema, retryFor: 60_000 });
    await times(async (i) => {
      const operation = `${name}-${i}`;
      const message = { sessionId: "s", role: "user", content: operation, saidAt: i } as const;
      const { ids } = await ledger.append(user(i), { operation, records: [insert("message", message)] });
      process.send?.({ report: ids[0] });
    });
    return count;
  },

  async increment(): Promise<unknown> {
    await using ledger = postgresLedger({ url, schema });
    await times((i) =>
      ledger.update(user(i), { operation: `${name}-${i}`, plan: increment, input: { key: "counter" } }),
    );
    return count;
  },

  /** Follows the feed from its beginning until it has seen so many changes. */
  async follow(): Promise<unknown> {
    await using ledger = postgresLedger({ url, schema, retryFor: 60_000 });
    const seen: Pick<Change, "partition" | "seq" | "id">[] = [];
    for await (const { changes } of followChanges(ledger, { limit: 37 })) {
      seen.push(...changes.map(({ partition, seq, id }) => ({ partition, seq, id })));
      if (seen.length >= count) break;
    }
    return seen;
  },
};

const result = await tasks[input.task]();
process.send?.({ result });
process.disconnect?.();
