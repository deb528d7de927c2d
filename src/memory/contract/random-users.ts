import assert from "node:assert/strict";
import type { ManualClock } from "../../store/contract/manual-clock.ts";
import { Choices } from "../../store/contract/seeded-randomness.ts";
import type { AgentMemory, ScopedMemory } from "../agent-memory.ts";
import { confusingUsers, inputs, linesOf } from "./samples.ts";
import { type Group, test } from "./suite.ts";

/** Words that more than one user says. */
const words = ["tea", "coffee", "Porto", "garden", "violin", "green", "house"] as const;
const sessionIds = ["s1", "s2", undefined] as const;
const blockNames = ["persona", "about"] as const;

interface ModelEpisode {
  readonly input: string;
  readonly sessionId: string | undefined;
  readonly at: number;
}

/** What one user must have. */
class UserModel {
  readonly memory: ScopedMemory;
  /** A word that nobody else says: where it turns up, it has come from here. */
  readonly mark: string;
  readonly episodes = new Map<string, ModelEpisode>();
  readonly blocks = new Map<string, string>();
  #said = 0;

  constructor(memory: ScopedMemory, mark: string) {
    this.memory = memory;
    this.mark = mark;
  }

  /** Does something, in the memory and in the model. */
  async step(choices: Choices, now: number): Promise<void> {
    const choice = choices.below(100);
    if (choice < 45) await this.#remember(choices, now);
    else if (choice < 60) await this.#block(choices);
    else if (choice < 68) await this.#delete(choices);
    else if (choice < 72) await this.#forget({ sessionId: "s1" }, ({ sessionId }) => sessionId === "s1");
    else if (choice < 75) {
      const word = choices.of(words);
      await this.#forget({ text: word }, ({ input }) => input.includes(word));
    } else if (choice < 77) await this.#forget({ before: now }, ({ at }) => at < now);
    else if (choice < 78) {
      await this.memory.forget();
      this.episodes.clear();
      this.blocks.clear();
    } else await this.#look(choices);
  }

  async compare(others: readonly UserModel[]): Promise<void> {
    const { items } = await this.memory.episodes.list({ limit: 1000 });
    const expected = [...this.episodes].map(([id, { input }]) => `${id} ${input}`).sort();
    assert.deepEqual(items.map(({ id, input }) => `${id} ${input}`).sort(), expected);
    const blocks = (await this.memory.working()).map(({ name, content }) => `${name} ${content}`).sort();
    assert.deepEqual(blocks, [...this.blocks].map(([name, content]) => `${name} ${content}`).sort());
    assert.equal((await this.memory.profile()).episodeCount, this.episodes.size);
    this.#check(JSON.stringify(await linesOf(this.memory)), others);
    this.#check(
      JSON.stringify((await this.memory.facts.query({ history: true, limit: 1000 })).items),
      others,
    );
  }

  async #remember(choices: Choices, at: number): Promise<void> {
    const known = [...this.episodes.keys()];
    const again = known.length > 0 && choices.chance(15);
    this.#said += 1;
    // The same ids for all users.
    const id = again ? choices.of(known) : `e${this.#said}`;
    const sessionId = choices.of(sessionIds);
    const input = `I like ${choices.of(words)} and ${this.mark} ${this.#said}`;
    await this.memory.remember({ id, input, sessionId, output: "Noted.", occurredAt: at });
    this.episodes.set(id, { input, sessionId, at });
  }

  async #block(choices: Choices): Promise<void> {
    const name = choices.of(blockNames);
    if (choices.chance(20)) {
      assert.equal(await this.memory.blocks.delete(name), this.blocks.delete(name));
      return;
    }
    const content = `${this.mark} ${choices.below(100)}`;
    const before = choices.chance(50) ? this.blocks.get(name) : undefined;
    if (before === undefined) await this.memory.updateBlock(name, content);
    else await this.memory.appendBlock(name, content);
    this.blocks.set(name, before === undefined ? content : `${before}\n${content}`);
  }

  async #delete(choices: Choices): Promise<void> {
    const known = [...this.episodes.keys()];
    if (known.length === 0) return;
    const id = choices.of(known);
    await this.memory.episodes.delete(id);
    this.episodes.delete(id);
  }

  async #forget(
    filter: { readonly sessionId: string } | { readonly text: string } | { readonly before: number },
    goes: (episode: ModelEpisode) => boolean,
  ): Promise<void> {
    await this.memory.forget(filter);
    for (const [id, episode] of this.episodes) if (goes(episode)) this.episodes.delete(id);
  }

  async #look(choices: Choices): Promise<void> {
    const word = choices.of(words);
    const found = inputs(await this.memory.recall(`${word} ${choices.of(words)}`, { limit: 50 }));
    const mine = new Set([...this.episodes.values()].map(({ input }) => input));
    for (const input of found) assert.ok(mine.has(input), input);
    const holding = [...mine].filter((input) => input.includes(word));
    assert.ok(found.length > 0 || holding.length === 0, word);
    const messages = await this.memory.sessionMessages("s1", { limit: 1000 });
    const asked = messages.filter(({ role }) => role === "user").map(({ content }) => content);
    const inSession = [...this.episodes.values()].filter(({ sessionId }) => sessionId === "s1");
    assert.deepEqual(asked.sort(), inSession.map(({ input }) => input).sort());
  }

  #check(text: string, others: readonly UserModel[]): void {
    for (const { mark } of others)
      if (mark !== this.mark) assert.ok(!text.includes(`${mark} `), `${mark} came to ${this.mark}`);
  }
}

export interface RandomUsersOptions {
  /** On a new store, made with the clock below. */
  readonly memory: AgentMemory;
  /** It is moved on, so that times differ. */
  readonly clock: ManualClock;
  /** The same seed does the same. */
  readonly seed: number;
  /** Calls of each user. */
  readonly rounds: number;
}

/**
 * Does random things for several users at the same time, whose names, words, episodes and sessions invite confusion, and compares
 * with a simple model what each of them has then. Rejects at the first difference, and where something of one turns up at another.
 */
export async function runRandomUsers({ memory, clock, seed, rounds }: RandomUsersOptions): Promise<void> {
  const choices = new Choices(seed);
  const userIds = choices.shuffled(confusingUsers).slice(0, 8);
  const users = userIds.map((userId, i) => {
    const namespace = i % 4 === 3 ? "other" : "default";
    return new UserModel(memory.for({ userId, namespace }), `mark${"abcdefgh"[i]}`);
  });
  for (let round = 0; round < rounds; round++) {
    clock.advance(1000);
    const now = clock.now();
    // Each has choices of its own, and none may see what another chose.
    await Promise.all(users.map((user, i) => user.step(new Choices(seed * 1000 + round * 10 + i), now)));
  }
  // Jobs whose lease an erasure ended are taken up when it would have ended by itself.
  for (let left = 1; left > 0; ) {
    clock.advance(60_000);
    left = (await memory.flush({ timeout: 300 })).waiting;
  }
  for (const user of users) await user.compare(users);
}

export const randomUsers: Group = {
  name: "random users",
  cases: [
    test(
      "whatever users do at the same time, each has what a simple model says, and nothing of another",
      async ({ open, clock }) => runRandomUsers({ memory: await open(), clock, seed: 20260520, rounds: 12 }),
      180_000,
    ),
  ],
};
