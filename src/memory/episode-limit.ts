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
  /**
   * By partition, how many episodes there are at most, as far as this process has stored them: one that was stored while they were
   * counted may be in it twice. So nothing goes before it is counted again.
   */
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

  /** Episodes were stored, one or, after `changed`, any number. Resolves when there are no more than so many. */
  stored(flux: Flux, partition: Partition): Promise<void> {
    const key = partitionKey(partition);
    return this.#turns.take(key, async () => {
      const known = this.#counts.get(key);
      if (known !== undefined && known < this.#most) {
        this.#counts.set(key, known + 1);
        return;
      }
      const ids = await idsOfEpisodes(flux, partition);
      const surplus = ids.slice(0, Math.max(0, ids.length - this.#most));
      for (let start = 0; start < surplus.length; start += atOnce) {
        const operation = randomId(this.#randomness);
        const input = { ids: surplus.slice(start, start + atOnce) };
        await flux.ledger.update(partition, { operation, plan: evictPlan, input });
      }
      this.#counts.set(key, ids.length - surplus.length);
    });
  }
}

/** Of a partition, the oldest first. */
async function idsOfEpisodes({ ledger }: Flux, partition: Partition): Promise<readonly string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const [page] = await ledger.read([partition], [find("episode", { index: "byTime", limit: 1000, after })]);
    for (const { id } of page.items) ids.push(id);
    after = page.cursor;
  } while (after !== undefined);
  return ids;
}
