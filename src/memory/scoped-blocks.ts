import { checkBoolean, checkKnown, checkLimit, checkSignal, checkString } from "../flux/check-options.ts";
import type { Flux } from "../flux/flux.ts";
import type { WriteOptions } from "../flux/flux-memory.ts";
import { digestOf } from "../flux/request-digest.ts";
import type { Scope } from "../flux/scope.ts";
import type { Block } from "../model/block.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { checkId, randomId } from "../model/ids.ts";
import type { Stored } from "../model/record.ts";
import { repairText } from "../model/unicode.ts";
import type { CallOptions } from "../store/driver.ts";
import {
  type BlockChange,
  blockPlan,
  defaultBlockBytes,
  level,
  levelsOf,
  visibleBlocks,
} from "./block-plan.ts";
import type {
  AppendBlockOptions,
  Blocks,
  MemoryBlock,
  PinBlockOptions,
  UpdateBlockOptions,
} from "./blocks.ts";
import type { Engine } from "./engine.ts";
import { names } from "./option-names.ts";

/** The most that `maxBytes` of a block may be. */
const mostBlockBytes = 1_000_000;

/** The blocks of one scope. */
export class ScopedBlocks implements Blocks {
  readonly #engine: Engine;
  readonly #scope: Scope;

  constructor(engine: Engine, scope: Scope) {
    this.#engine = engine;
    this.#scope = scope;
  }

  list(options: CallOptions = {}): Promise<readonly MemoryBlock[]> {
    return this.#engine.run(async (flux) => {
      const { signal } = checkKnown(options, names.call);
      return this.#read(flux, checkSignal(signal));
    }, options);
  }

  async get(name: string, options?: CallOptions): Promise<MemoryBlock | undefined> {
    const wanted = checkId(name, "name");
    return (await this.list(options)).find((block) => block.name === wanted);
  }

  async update(name: string, content: string, options: UpdateBlockOptions = {}): Promise<MemoryBlock> {
    const { position, pinned, maxBytes, ...call } = checkKnown(options, names.updateBlock);
    if (position !== undefined && !Number.isSafeInteger(position))
      throw new FluxError("invalid_argument", "position must be a whole number");
    if (pinned !== undefined) checkBoolean(pinned, "pinned");
    if (maxBytes !== undefined) checkLimit(maxBytes, "maxBytes", mostBlockBytes);
    const change = { type: "update", name: checkId(name, "name"), content: checkText(content) } as const;
    return this.#one(name, { ...change, position, pinned, maxBytes }, call);
  }

  async append(name: string, content: string, options: AppendBlockOptions = {}): Promise<MemoryBlock> {
    const { separator = "\n", ...call } = checkKnown(options, names.appendBlock);
    const change = { type: "append", name: checkId(name, "name"), content: checkText(content) } as const;
    return this.#one(name, { ...change, separator: repairText(checkString(separator, "separator")) }, call);
  }

  async pin(name: string, options: PinBlockOptions = {}): Promise<MemoryBlock> {
    const { pinned = true, ...call } = checkKnown(options, names.pinBlock);
    checkBoolean(pinned, "pinned");
    return this.#one(name, { type: "pin", name: checkId(name, "name"), pinned }, call);
  }

  async reorder(given: readonly string[], options: WriteOptions = {}): Promise<readonly MemoryBlock[]> {
    if (!Array.isArray(given))
      throw new FluxTypeError("invalid_argument", `names must be a list, not ${describe(given)}`);
    const list = given.map((name) => checkId(name, "name"));
    if (new Set(list).size < list.length)
      throw new FluxError("invalid_argument", "A block is named twice in the order");
    const call = checkKnown(options, names.write);
    if (list.length === 0) return this.list({ signal: call.signal });
    return this.#change({ type: "reorder", names: list }, call);
  }

  async delete(name: string, options: WriteOptions = {}): Promise<boolean> {
    const change = { type: "delete", name: checkId(name, "name") } as const;
    return this.#engine.run(async (flux) => {
      const written = await this.#commit(flux, change, checkKnown(options, names.write));
      return written > 0;
    }, options);
  }

  async #one(name: string, change: BlockChange, call: WriteOptions): Promise<MemoryBlock> {
    const found = (await this.#change(change, call)).find((block) => block.name === name);
    if (found !== undefined) return found;
    throw new FluxError("not_found", "The block was written, and has been deleted since then");
  }

  #change(change: BlockChange, call: WriteOptions): Promise<readonly MemoryBlock[]> {
    return this.#engine.run(async (flux) => {
      await this.#commit(flux, change, call);
      return this.#read(flux, call.signal);
    }, call);
  }

  async #commit(flux: Flux, change: BlockChange, { operation, signal }: WriteOptions): Promise<number> {
    const { agentId, partition } = this.#scope;
    checkSignal(signal);
    const call = {
      operation:
        operation === undefined ? randomId(this.#engine.randomness) : checkId(operation, "operation"),
      plan: blockPlan,
      input: { request: digestOf("blocks", agentId ?? null, change) },
      aside: { agentId, change },
    };
    const { result } = await flux.ledger.update(partition, call, { signal });
    return result ?? 0;
  }

  async #read(flux: Flux, signal: AbortSignal | undefined): Promise<readonly MemoryBlock[]> {
    const { agentId, partition } = this.#scope;
    const pages = await flux.ledger.read([partition], levelsOf(agentId).map(level), { signal });
    return visibleBlocks(pages).map(toBlock);
  }
}

function toBlock(stored: Stored<Block>): MemoryBlock {
  const { id, name, content, position, pinned = false, maxBytes = defaultBlockBytes, agentId } = stored;
  return {
    ...{ id, name, content, position, pinned, maxBytes },
    ...(agentId === undefined ? {} : { agentId }),
    updatedAt: stored.updatedAt ?? stored.recordedAt,
  };
}

function checkText(content: unknown): string {
  return repairText(checkString(content, "content"));
}
