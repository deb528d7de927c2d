import {
  find,
  get,
  head,
  insert,
  type Ledger,
  type Message,
  type Partition,
  partition,
} from "../src/index.ts";
import type { OpenedLedger } from "./ledgers.ts";
import { increment } from "./plans.ts";
import {
  type BenchStore,
  type CombinedReads,
  type Content,
  counterAgent,
  counterScope,
  type Size,
} from "./store.ts";

/** One of our ledgers. */
export class LedgerStore implements BenchStore {
  readonly #ledger: Ledger;
  readonly #opened: OpenedLedger;
  // A caller has the partition at hand, as an application does.
  readonly #partitions = new Map<string, Partition>();

  constructor(opened: OpenedLedger) {
    this.#ledger = opened.ledger;
    this.#opened = opened;
  }

  #partition(userId: string): Partition {
    let found = this.#partitions.get(userId);
    if (found === undefined) {
      found = partition({ userId });
      this.#partitions.set(userId, found);
    }
    return found;
  }

  async append(user: string, operation: string, messages: readonly Message[]): Promise<readonly string[]> {
    const records = messages.map((message) => insert("message", message));
    return (await this.#ledger.append(this.#partition(user), { operation, records })).ids;
  }

  addCounter(user: string, operation: string, key: string): Promise<unknown> {
    const records = [insert("value", { agentId: counterAgent, scope: counterScope, key, value: 0 })];
    return this.#ledger.append(this.#partition(user), { operation, records });
  }

  increment(user: string, operation: string, key: string): Promise<unknown> {
    return this.#ledger.update(this.#partition(user), { operation, plan: increment, input: { key } });
  }

  async counter(user: string, key: string): Promise<number | undefined> {
    const [{ items }] = await this.#ledger.read([this.#partition(user)], [findCounter(key)]);
    return items[0] === undefined ? undefined : Number(items[0].value);
  }

  async message(user: string, id: string): Promise<Content | undefined> {
    return (await this.#ledger.read([this.#partition(user)], [get("message", id)]))[0];
  }

  async page(user: string, session: string, limit: number): Promise<readonly Content[]> {
    const op = find("message", { index: "bySession", prefix: [session], reverse: true, limit });
    return (await this.#ledger.read([this.#partition(user)], [op]))[0].items;
  }

  async combined(user: string, { id, session, agent, key }: CombinedReads): Promise<number> {
    const [state, message, ofSession, ofAgent, newest, counters] = await this.#ledger.read(
      [this.#partition(user)],
      [
        head(),
        get("message", id),
        find("message", { index: "bySession", prefix: [session], reverse: true, limit: 20 }),
        find("message", { index: "byAgent", prefix: [agent], reverse: true, limit: 20 }),
        find("message", { index: "byTime", reverse: true, limit: 10 }),
        findCounter(key),
      ],
    );
    const pages = [ofSession, ofAgent, newest, counters];
    const single = Number(state !== undefined) + Number(message !== undefined);
    return pages.reduce((sum, { items }) => sum + items.length, single);
  }

  sizes(): Promise<readonly Size[]> {
    return this.#opened.sizes();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.remove();
  }
}

function findCounter(key: string) {
  return find("value", { index: "byKey", prefix: [counterAgent, counterScope, key], limit: 1 });
}
