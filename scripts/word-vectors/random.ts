const size = 624;

/** Whole random numbers of 32 bits, the same ones for the same seed: the Mersenne Twister (Matsumoto and Nishimura 1998). */
class MersenneTwister {
  readonly #state = new Uint32Array(size);
  #next = size;

  constructor(seed: number) {
    const state = this.#state;
    state[0] = 19_650_218;
    for (let i = 1; i < size; i++) state[i] = mixed(state, i, 1_812_433_253) + i;
    // Seeds of several numbers are worked in one after the other; ours are a single one.
    let i = 1;
    for (let round = 0; round < size; round++) {
      state[i] = ((state[i] as number) ^ mixed(state, i, 1_664_525)) + seed;
      i = this.#after(i);
    }
    for (let round = 1; round < size; round++) {
      state[i] = ((state[i] as number) ^ mixed(state, i, 1_566_083_941)) - i;
      i = this.#after(i);
    }
    state[0] = 0x80000000;
  }

  next(): number {
    if (this.#next === size) this.#renew();
    let value = this.#state[this.#next++] as number;
    value ^= value >>> 11;
    value ^= (value << 7) & 0x9d2c5680;
    value ^= (value << 15) & 0xefc60000;
    return (value ^ (value >>> 18)) >>> 0;
  }

  #after(i: number): number {
    if (i + 1 < size) return i + 1;
    this.#state[0] = this.#state[size - 1] as number;
    return 1;
  }

  #renew(): void {
    const state = this.#state;
    for (let i = 0; i < size; i++) {
      const both = ((state[i] as number) & 0x80000000) | ((state[(i + 1) % size] as number) & 0x7fffffff);
      state[i] = (state[(i + 397) % size] as number) ^ (both >>> 1) ^ (both & 1 ? 0x9908b0df : 0);
    }
    this.#next = 0;
  }
}

function mixed(state: Uint32Array, i: number, factor: number): number {
  const before = state[i - 1] as number;
  return Math.imul(before ^ (before >>> 30), factor);
}

/** Numbers from 0 to 1. */
export function seededRandom(seed: number): () => number {
  const twister = new MersenneTwister(seed);
  return () => twister.next() / 2 ** 32;
}

/** The items in a random order, which the seed decides (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const twister = new MersenneTwister(seed);
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const other = below(twister, i + 1);
    [order[i], order[other]] = [order[other] as T, order[i] as T];
  }
  return order;
}

/** A whole number from 0 to the limit, exclusive: as many bits as it needs, drawn again while they are too many. */
function below(twister: MersenneTwister, limit: number): number {
  const bits = 32 - Math.clz32(limit);
  for (;;) {
    const value = twister.next() >>> (32 - bits);
    if (value < limit) return value;
  }
}

/** A number of the normal distribution (Box and Muller 1958). */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
