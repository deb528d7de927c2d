/** What the other processes of the contract suite do. Exported under their own names, so that a child finds them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Change } from "../../model/change.ts";
import type { Partition } from "../../model/partition.ts";
import { followChanges } from "../follow.ts";
import type { Ledger } from "../ledger.ts";
import { find, get } from "../read.ts";
import { work } from "../work.ts";
import { countUse, findOrInsert, reinforce, setPair } from "./plans.ts";
import { defineTask } from "./processes.ts";
import { message, named, note } from "./samples.ts";

const module = import.meta.url;

/** Calls the function for the numbers from 0, so many at a time. */
async function concurrently(
  count: number,
  atOnce: number,
  call: (number: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, run));
}

/** Reinforces one conduit, and looks for one text, as often as asked. Returns how often it inserted the text. */
export const decide = defineTask({
  name: "decide",
  module,
  async run(
    ledger: Ledger,
    {
      user,
      name,
      count,
      conduit,
      step,
    }: {
      readonly user: Partition;
      readonly name: string;
      readonly count: number;
      readonly conduit: string;
      readonly step: number;
    },
  ) {
    let inserted = 0;
    await concurrently(count, 10, async (number) => {
      await ledger.update(user, {
        operation: `${name} reinforces ${number}`,
        plan: reinforce,
        input: { id: conduit, step },
      });
      const input = { contentKey: `text ${number % 5}`, content: `of ${name}` };
      const operation = `${name} finds ${number}`;
      const { result } = await ledger.update(user, { operation, plan: findOrInsert, input });
      if (result?.inserted) inserted += 1;
    });
    return inserted;
  },
});

/** Appends messages of its own, some of them in operations that all processes try. Returns the ids. */
export const append = defineTask({
  name: "append",
  module,
  async run(
    ledger: Ledger,
    {
      users,
      name,
      count,
      shared,
    }: {
      readonly users: readonly Partition[];
      readonly name: string;
      readonly count: number;
      readonly shared: number;
    },
  ) {
    const ids: string[] = [];
    await concurrently(count, 10, async (number) => {
      const partition = users[number % users.length] as Partition;
      const operation = number < shared ? `all ${number}` : `${name} ${number}`;
      const content = number < shared ? "shared" : name;
      const receipt = await ledger.append(partition, {
        operation,
        records: [message(content), note(content)],
      });
      ids.push(...receipt.ids);
    });
    return ids;
  },
});

/** Follows the feed until a record with the id `end` was inserted. Returns the changes. */
export const follow = defineTask({
  name: "follow",
  module,
  async run(ledger: Ledger, { after, limit }: { readonly after?: string; readonly limit: number }, report) {
    const seen: Change[] = [];
    report("following");
    for await (const { changes } of followChanges(ledger, { after, limit, interval: 200 })) {
      seen.push(...changes);
      if (changes.some(({ id }) => id === "end")) break;
    }
    return seen;
  },
});

/** Changes two blocks together, again and again. */
export const setPairs = defineTask({
  name: "setPairs",
  module,
  async run(
    ledger: Ledger,
    {
      user,
      name,
      count,
      ids,
    }: {
      readonly user: Partition;
      readonly name: string;
      readonly count: number;
      readonly ids: readonly string[];
    },
  ) {
    await concurrently(count, 2, (number) =>
      ledger.update(user, {
        operation: `${name} ${number}`,
        plan: setPair,
        input: { ids, content: `${name} ${number}` },
      }),
    );
  },
});

/** Does jobs until nobody has any left. Every job counts one use of a conduit. */
export const doJobs = defineTask({
  name: "doJobs",
  module,
  async run(
    ledger: Ledger,
    {
      conduit,
      leaseFor,
      queues,
    }: {
      readonly conduit: string;
      readonly leaseFor: number;
      readonly queues: readonly string[];
    },
    report,
  ) {
    const handler = async (
      job: Parameters<Parameters<typeof work>[1]["handlers"][string]>[0],
    ): Promise<void> => {
      report(job.id);
      const input = { id: conduit, note: `job ${JSON.stringify(job.payload)}` };
      await ledger.update(job.partition, { operation: `job/${job.id}`, plan: countUse, input, job });
    };
    return work(ledger, {
      handlers: Object.fromEntries(queues.map((queue) => [queue, handler])),
      leaseFor,
      interval: 50,
      once: true,
    });
  },
});

/**
 * Numbered operations, each reported once it is acknowledged, until it is killed. Each inserts a message with a grain and a
 * job, and reinforces a conduit.
 */
export const acknowledge = defineTask({
  name: "acknowledge",
  module,
  async run(ledger: Ledger, { user, from }: { readonly user: Partition; readonly from: number }, report) {
    await concurrently(Number.POSITIVE_INFINITY, 4, async (number) => {
      const n = from + number;
      const records = [
        named(`m ${n}`, message(`message ${n}`)),
        named(`t ${n}`, note(`note ${n}`), ["message", `m ${n}`]),
      ];
      const jobs = [{ queue: "q", payload: n, sources: [{ kind: "message", id: `m ${n}` }] }];
      const { ids } = await ledger.append(user, { operation: `append ${n}`, records, jobs });
      report({ n, did: "append", ids });
      const plan = { operation: `reinforce ${n}`, plan: reinforce, input: { id: "c", step: 0 } };
      const { result } = await ledger.update(user, plan);
      report({ n, did: "reinforce", result });
    });
  },
});

/** Erases sessions one after the other, each reported once it is acknowledged. */
export const eraseSessions = defineTask({
  name: "eraseSessions",
  module,
  async run(
    ledger: Ledger,
    { user, from, to }: { readonly user: Partition; readonly from: number; readonly to: number },
    report,
  ) {
    for (let n = from; n < to; n++) {
      await ledger.erase(user, { operation: `erase ${n}`, sessionId: `session ${n}` });
      report(n);
    }
  },
});

/** Erases named records, and returns the receipt. */
export const erase = defineTask({
  name: "erase",
  module,
  run: (
    ledger: Ledger,
    {
      user,
      operation,
      refs,
    }: {
      readonly user: Partition;
      readonly operation: string;
      readonly refs: readonly { readonly kind: string; readonly id: string }[];
    },
  ) => ledger.erase(user, { operation, refs }),
});

/** Claims a job and never comes back. */
export const claimAndHang = defineTask({
  name: "claimAndHang",
  module,
  async run(
    ledger: Ledger,
    { queue, leaseFor }: { readonly queue: string; readonly leaseFor: number },
    report,
  ) {
    report(await ledger.jobs.claim({ queues: [queue], leaseFor }));
    await sleep(600_000);
  },
});

/** Reads two records in one call, again and again, until the time is over. Returns the pairs that differed. */
export const readPairs = defineTask({
  name: "readPairs",
  module,
  async run(
    ledger: Ledger,
    {
      user,
      ids,
      count,
    }: { readonly user: Partition; readonly ids: readonly string[]; readonly count: number },
  ) {
    const torn: (readonly (string | undefined)[])[] = [];
    for (let i = 0; i < count; i++) {
      const [first, second] = ids as readonly [string, string];
      const [one, page, other] = await ledger.read(
        [user],
        [get("block", first), find("block"), get("block", second)],
      );
      const contents = [one?.content, ...page.items.map(({ content }) => content), other?.content];
      if (new Set(contents).size !== 1) torn.push(contents);
    }
    return torn;
  },
});
