import type { Flux } from "../flux/flux.ts";
import { Turns } from "../flux/turns.ts";
import { type Randomness, randomId } from "../model/ids.ts";
import { type Partition, partitionKey } from "../model/partition.ts";
import { find } from "../store/read.ts";
import { evictPlan } from "./evict-plan.ts";

/** Episodes that go in one commit. */
const atOnce = 100;

/** Keeps the episodes of each user to so many: the oldest go, and nobody else's. */
export class EpisodeLimit {
  readonly #most: number;
  readonly #randomness: Randomness;
  /** Episodes by partition, of those where nothing but `stored` has changed it since they were counted. */
  readonly #counts = new Map<string, number>();
  readonly #turns = new Turns();

  constructor(most: number, randomness: Randomness) {
    this.#most = most;
    this.#randomness = randomness;
  }

  /** Something other than one new episode may have changed how many there are. */
  changed(partition: Partition): void {
    this.#counts.delete(partitionKey(partition));
  }

  /** An episode was stored. Resolves when there are no more than so many. */
  stored(flux: Flux, partition: Partition): Promise<void> {
    const key = partitionKey(partition);
    return this.#turns.take(key, async () => {
      const known = this.#counts.get(key);
      const count = known === undefined ? await countEpisodes(flux, partition) : known + 1;
      this.#counts.set(key, count);
      for (let surplus = count - this.#most; surplus > 0; ) {
        const walk = { index: "byTime", limit: Math.min(atOnce, surplus) };
        const [{ items }] = await flux.ledger.read([partition], [find("episode", walk)]);
        if (items.length === 0) break;
        const input = { ids: items.map(({ id }) => id) };
        await flux.ledger.update(partition, {
          operation: randomId(this.#randomness),
          plan: evictPlan,
          input,
        });
        surplus -= items.length;
        this.#counts.set(key, this.#most + surplus);
      }
    });
  }
}

async function countEpisodes({ ledger }: Flux, partition: Partition): Promise<number> {
  let count = 0;
  let after: string | undefined;
  do {
    const [page] = await ledger.read([partition], [find("episode", { index: "byTime", limit: 1000, after })]);
    count += page.items.length;
    after = page.cursor;
  } while (after !== undefined);
  return count;
}
