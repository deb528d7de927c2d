import type { Flux } from "../flux/flux.ts";
import { Turns } from "../flux/turns.ts";
import { type Randomness, randomId } from "../model/ids.ts";
import { type Partition, partitionKey } from "../model/partition.ts";
import { find, get, head } from "../store/read.ts";
import { evictPlan } from "./evict-plan.ts";

/** Episodes that go in one commit. */
const atOnce = 100;

/** How many episodes a partition has. */
interface Count {
  /** Those with a `seq` up to this one were there when they were counted; later ones are added as they are stored. */
  readonly upTo: number;
  episodes: number;
  /** When the first of them expires, in milliseconds: from then on the count does not hold. Infinite where none does. */
  until: number;
}

/** Keeps the episodes of each user to so many: the oldest go, and nobody else's. */
export class EpisodeLimit {
  readonly #most: number;
  readonly #randomness: Randomness;
  /** By partition, where nothing but `stored` has changed it since they were counted. */
  readonly #counts = new Map<string, Count>();
  readonly #turns = new Turns();

  constructor(most: number, randomness: Randomness) {
    this.#most = most;
    this.#randomness = randomness;
  }

  /** Something other than one new episode may have changed how many there are. */
  changed(partition: Partition): void {
    this.#counts.delete(partitionKey(partition));
  }

  /**
   * Episodes were stored. Resolves when there are no more than so many.
   *
   * @param id of the one that was stored; without it they are counted
   */
  stored(flux: Flux, partition: Partition, id?: string): Promise<void> {
    const key = partitionKey(partition);
    return this.#turns.take(key, async () => {
      const count = await this.#count(flux, partition, id);
      for (let surplus = count.episodes - this.#most; surplus > 0; ) {
        const walk = { index: "byTime", limit: Math.min(atOnce, surplus) };
        const [{ items }] = await flux.ledger.read([partition], [find("episode", walk)]);
        if (items.length === 0) break;
        const input = { ids: items.map(({ id }) => id) };
        const operation = randomId(this.#randomness);
        await flux.ledger.update(partition, { operation, plan: evictPlan, input });
        count.episodes -= items.length;
        surplus -= items.length;
      }
    });
  }

  async #count(flux: Flux, partition: Partition, id: string | undefined): Promise<Count> {
    const key = partitionKey(partition);
    const known = this.#counts.get(key);
    if (known !== undefined && id !== undefined) {
      const [episode, state] = await flux.ledger.read([partition], [get("episode", id), head()]);
      if (episode !== undefined && state !== undefined && state.recordedAt < known.until) {
        // One that came while they were counted is among them already.
        if (episode.seq > known.upTo) known.episodes += 1;
        known.until = Math.min(known.until, episode.expiresAt ?? Infinity);
        if (this.#counts.get(key) === known) return known;
      }
    }
    const placeholder: Count = { upTo: 0, episodes: 0, until: Infinity };
    this.#counts.set(key, placeholder);
    const count = await countEpisodes(flux, partition);
    if (this.#counts.get(key) === placeholder) this.#counts.set(key, count);
    return count;
  }
}

async function countEpisodes({ ledger }: Flux, partition: Partition): Promise<Count> {
  const [state] = await ledger.read([partition], [head()]);
  const count: Count = { upTo: state?.seq ?? 0, episodes: 0, until: Infinity };
  let after: string | undefined;
  do {
    const [page] = await ledger.read([partition], [find("episode", { index: "byTime", limit: 1000, after })]);
    for (const { seq, expiresAt = Infinity } of page.items) {
      if (seq <= count.upTo) count.episodes += 1;
      count.until = Math.min(count.until, expiresAt);
    }
    after = page.cursor;
  } while (after !== undefined);
  return count;
}
