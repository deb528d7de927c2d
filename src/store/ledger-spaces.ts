import { FluxError } from "../model/errors.ts";
import { checkId } from "../model/ids.ts";
import { checkObject } from "./checks.ts";
import type { CallOptions, Driver } from "./driver.ts";
import { maxDimensions } from "./index-entries.ts";
import { names } from "./option-names.ts";
import type { Space, Spaces } from "./search.ts";

/** The spaces of every ledger that is made of a driver. */
export class LedgerSpaces implements Spaces {
  readonly #open: (options?: CallOptions) => Driver;

  constructor(open: (options?: CallOptions) => Driver) {
    this.#open = open;
  }

  async list(options?: CallOptions): Promise<readonly Space[]> {
    return this.#open(options).spaces(options);
  }

  async declare(space: Parameters<Spaces["declare"]>[0], options?: CallOptions): Promise<Space> {
    const { kind, maker, dimensions = 0, state } = checkObject(space, "space", names.space);
    if (kind !== "lexical" && kind !== "dense")
      throw new FluxError("invalid_argument", "A space is lexical or dense");
    const least = kind === "dense" ? 1 : 0;
    const most = kind === "dense" ? maxDimensions : 0;
    if (!Number.isInteger(dimensions) || dimensions < least || dimensions > most) {
      throw new FluxError(
        "invalid_argument",
        `The dimensions of a ${kind} space are a whole number from ${least} to ${most}`,
      );
    }
    if (state !== undefined && state !== "building")
      throw new FluxError("invalid_argument", "A space is declared as building, or without a state");
    const wanted = { kind, maker: checkId(maker, "maker"), dimensions, state };
    return this.#open(options).declareSpace(wanted, options);
  }

  async activate(id: number, options?: CallOptions): Promise<Space> {
    const space = await this.#open(options).activateSpace(checkSpaceId(id), options);
    if (space !== undefined) return space;
    throw new FluxError("not_found", "There is no such space");
  }

  async drop(id: number, options?: CallOptions): Promise<void> {
    const driver = this.#open(options);
    const space = (await driver.spaces(options)).find((one) => one.id === checkSpaceId(id));
    if (space?.state === "active") {
      throw new FluxError("invalid_argument", "The active space cannot be dropped", {
        hint: "Activate another one of its kind first.",
      });
    }
    if (space !== undefined) await driver.dropSpace(id, options);
  }
}

function checkSpaceId(id: number): number {
  if (Number.isSafeInteger(id) && id >= 1) return id;
  throw new FluxError("invalid_argument", "The id of a space is a whole number from 1");
}
