import type { WriteOptions } from "../flux/flux-memory.ts";
import type { CallOptions } from "../store/driver.ts";

/** A small named text that is always put in front of the model. */
export interface MemoryBlock {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  /** Place among the blocks of its level, lowest first; ties by name. Pinned ones come before all others. */
  readonly position: number;
  readonly pinned: boolean;
  /** The most UTF-8 bytes its content may have. */
  readonly maxBytes: number;
  /** Whose block it is; absent for one that all agents of the user share. */
  readonly agentId?: string;
  /** When it was last written, in milliseconds. */
  readonly updatedAt: number;
}

export interface UpdateBlockOptions extends WriteOptions {
  /** Place before or behind other blocks. Default: behind all of a new block, where it is of one that is there. */
  readonly position?: number | undefined;
  /** Whether it comes before those that are not pinned. Default: as it is; of a new block, false. */
  readonly pinned?: boolean | undefined;
  /** The most UTF-8 bytes its content may have from now on, 1 to 1,000,000. Default: as it is; of a new block, 8,192. */
  readonly maxBytes?: number | undefined;
}

export interface AppendBlockOptions extends WriteOptions {
  /** What comes between the content that is there and the new one, where there is some. Default a line break. */
  readonly separator?: string | undefined;
}

export interface PinBlockOptions extends WriteOptions {
  /** Default true. */
  readonly pinned?: boolean | undefined;
}

/**
 * Single blocks. A handle without agent has the blocks that all agents share. One with an agent sees the agent's own blocks and the
 * shared ones, of two with the same name its own, and writes its own: a shared block that it changes, appends to, pins or moves
 * becomes a copy of its own first, and the shared one stays as it is.
 */
export interface Blocks {
  /** Undefined when this handle sees none of this name. */
  get(name: string, options?: CallOptions): Promise<MemoryBlock | undefined>;
  /** All that this handle sees, in order; as `working`. */
  list(options?: CallOptions): Promise<readonly MemoryBlock[]>;
  /** @throws FluxError `not_found` */
  pin(name: string, options?: PinBlockOptions): Promise<MemoryBlock>;
  /**
   * Puts the named blocks first, in this order, and the others behind them as they are. Pinned ones still come before those that
   * are not.
   *
   * @throws FluxError `not_found`, `invalid_argument` for a name that is given twice
   */
  reorder(names: readonly string[], options?: WriteOptions): Promise<readonly MemoryBlock[]>;
  /** Deletes the block of this handle's own level. Returns whether there was one. */
  delete(name: string, options?: WriteOptions): Promise<boolean>;
}
