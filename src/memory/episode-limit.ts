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
   * @param id of the one that was stored; where there were several, `changed` has to be called before
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
      const [episode] = await flux.ledger.read([partition], [get("episode", id)]);
      // One that came while they were counted is among them already.
      if (episode !== undefined && episode.seq > known.upTo) known.episodes += 1;
      if (episode !== undefined && this.#counts.get(key) === known) return known;
    }
    const placeholder: Count = { upTo: 0, episodes: 0 };
    this.#counts.set(key, placeholder);
    const count = await countEpisodes(flux, partition);
    if (this.#counts.get(key) === placeholder) this.#counts.set(key, count);
    return count;
  }
}

async function countEpisodes({ ledger }: Flux, partition: Partition): Promise<Count> {
  const [state] = await ledger.read([partition], [head()]);
  const count: Count = { upTo: state?.seq ?? 0, episodes: 0 };
  let after: string | undefined;
  do {
    const [page] = await ledger.read([partition], [find("episode", { index: "byTime", limit: 1000, after })]);
    count.episodes += page.items.filter(({ seq }) => seq <= count.upTo).length;
    after = page.cursor;
  } while (after !== undefined);
  return count;
}
