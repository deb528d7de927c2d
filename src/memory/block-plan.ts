import type { Block } from "../model/block.ts";
import { FluxError } from "../model/errors.ts";
import type { Stored } from "../model/record.ts";
import { utf8Length } from "../model/unicode.ts";
import { insert, type Mutation, patch, remove } from "../store/batch.ts";
import { definePlan } from "../store/plan.ts";
import { find, type Page } from "../store/read.ts";

/** The most UTF-8 bytes that the content of a block may have unless it says otherwise: about 2,000 tokens of English. */
export const defaultBlockBytes = 8192;
/** All of them are put in front of the model, so a level has at most this many. */
const maxBlocks = 100;

/** What is to become of the blocks that a handle sees. */
export type BlockChange =
  | {
      readonly type: "update";
      readonly name: string;
      readonly content: string;
      readonly position?: number | undefined;
      readonly pinned?: boolean | undefined;
      readonly maxBytes?: number | undefined;
    }
  | { readonly type: "append"; readonly name: string; readonly content: string; readonly separator: string }
  | { readonly type: "pin"; readonly name: string; readonly pinned: boolean }
  | { readonly type: "reorder"; readonly names: readonly string[] }
  | { readonly type: "delete"; readonly name: string };

export interface BlockAside {
  /** Whose blocks are written; undefined for those that all agents share. */
  readonly agentId: string | undefined;
  readonly change: BlockChange;
}

/**
 * Changes blocks in one commit. The input is a digest of what the caller gave, which tells a retry from another call; the result
 * is how many blocks were written.
 */
export const blockPlan = definePlan({
  name: "flux-blocks",
  module: import.meta.url,
  reads: (_input: { readonly request: string }, { agentId }: BlockAside) => levelsOf(agentId).map(level),
  decide(_input, pages, { aside, now }) {
    const [own = [], shared = []] = pages.map(({ items }) => items);
    const mutations = new BlockChanges(own, shared, aside, now).mutations();
    return { mutations, result: mutations.length };
  },
});

/** The levels that a handle sees, its own first. */
export function levelsOf(agentId: string | undefined): readonly (string | null)[] {
  return agentId === undefined ? [null] : [agentId, null];
}

/** Reads the blocks of an agent, or those that all agents share. */
export function level(agentId: string | null) {
  return find("block", { index: "byName", prefix: [agentId], limit: 1000 });
}

/** What a handle sees of its own level and the shared one, in order: pinned first, then by position, then by name. */
export function visibleBlocks(pages: readonly Page<Stored<Block>>[]): readonly Stored<Block>[] {
  const seen = new Map<string, Stored<Block>>();
  for (const { items } of pages)
    for (const block of items) if (!seen.has(block.name)) seen.set(block.name, block);
  return [...seen.values()].sort(inOrder);
}

function inOrder(a: Block, b: Block): number {
  const pinned = Number(b.pinned ?? false) - Number(a.pinned ?? false);
  return pinned || a.position - b.position || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

class BlockChanges {
  readonly #own: ReadonlyMap<string, Stored<Block>>;
  readonly #shared: ReadonlyMap<string, Stored<Block>>;
  readonly #aside: BlockAside;
  readonly #now: number;

  constructor(
    own: readonly Stored<Block>[],
    shared: readonly Stored<Block>[],
    aside: BlockAside,
    now: number,
  ) {
    this.#now = now;
    this.#own = new Map(own.map((block) => [block.name, block]));
    this.#shared = new Map(shared.map((block) => [block.name, block]));
    this.#aside = aside;
  }

  mutations(): Mutation[] {
    const { change } = this.#aside;
    switch (change.type) {
      case "update": {
        const { type: _, name, content, position, pinned, maxBytes } = change;
        return [
          this.#write(name, {
            content,
            ...(position === undefined ? {} : { position }),
            ...(pinned === undefined ? {} : { pinned: pinned || undefined }),
            ...(maxBytes === undefined ? {} : { maxBytes }),
          }),
        ];
      }
      case "append": {
        const before = this.#seen(change.name)?.content ?? "";
        const content = before === "" ? change.content : `${before}${change.separator}${change.content}`;
        return [this.#write(change.name, { content })];
      }
      case "pin":
        this.#expect(change.name);
        return [this.#write(change.name, { pinned: change.pinned || undefined })];
      case "reorder": {
        const { names } = change;
        for (const name of names) this.#expect(name);
        const others = this.#all().filter(({ name }) => !names.includes(name));
        const first = Math.min(0, ...others.map(({ position }) => position)) - names.length;
        return names.map((name, i) => this.#write(name, { position: first + i }));
      }
      case "delete": {
        const own = this.#own.get(change.name);
        return own === undefined ? [] : [remove("block", own.id)];
      }
    }
  }

  /** Changes the block of this level; where there is none, makes one like that which is seen. */
  #write(name: string, value: Partial<Omit<Block, "name" | "agentId">>): Mutation {
    const { agentId } = this.#aside;
    const own = this.#own.get(name);
    const { content = "", position, pinned, maxBytes } = { ...this.#seen(name), ...value };
    const most = maxBytes ?? defaultBlockBytes;
    const bytes = utf8Length(content);
    if (bytes > most) {
      throw new FluxError(
        "too_large",
        `The content of the block would have ${bytes} bytes, of at most ${most}`,
        {
          hint: "Nothing was written. Shorten what is there with updateBlock, or give the block another maxBytes.",
        },
      );
    }
    if (own !== undefined) return patch("block", own.id, { ...value, updatedAt: this.#now });
    if (this.#own.size >= maxBlocks) {
      throw new FluxError("too_large", `There are at most ${maxBlocks} blocks`, {
        hint: "All blocks are put in front of the model. Delete one, or remember it as an episode.",
      });
    }
    return insert("block", {
      ...(agentId === undefined ? {} : { agentId }),
      name,
      content,
      position: position ?? this.#behindAll(),
      ...(pinned === true ? { pinned } : {}),
      ...(maxBytes === undefined ? {} : { maxBytes }),
      updatedAt: this.#now,
    });
  }

  #behindAll(): number {
    return this.#all().reduce((most, { position }) => Math.max(most, position + 1), 0);
  }

  #all(): readonly Stored<Block>[] {
    return [...this.#own.values(), ...this.#shared.values()];
  }

  #seen(name: string): Stored<Block> | undefined {
    return this.#own.get(name) ?? this.#shared.get(name);
  }

  #expect(name: string): void {
    if (this.#seen(name) !== undefined) return;
    throw new FluxError("not_found", "There is no block of this name", {
      hint: "Nothing was written. updateBlock makes one.",
    });
  }
}
