import { FluxError } from "../model/errors.ts";
import type { Changes, Jobs, Ledger } from "./ledger.ts";
import type { Spaces } from "./search.ts";

/**
 * A ledger that is loaded at its first use. A failed load is an error of that call; the next call tries again.
 */
export function lazyLedger(load: () => Promise<Ledger>): Ledger {
  return new LazyLedger(load);
}

class LazyLedger implements Ledger {
  readonly #load: () => Promise<Ledger>;
  #ledger: Promise<Ledger> | undefined;
  #closed: Promise<void> | undefined;

  readonly changes: Changes = {
    head: async (...args) => (await this.#get()).changes.head(...args),
    read: async (...args) => (await this.#get()).changes.read(...args),
    wait: async (...args) => (await this.#get()).changes.wait(...args),
  };
  readonly jobs: Jobs = {
    claim: async (...args) => (await this.#get()).jobs.claim(...args),
    complete: async (...args) => (await this.#get()).jobs.complete(...args),
    fail: async (...args) => (await this.#get()).jobs.fail(...args),
    extend: async (...args) => (await this.#get()).jobs.extend(...args),
    list: async (...args) => (await this.#get()).jobs.list(...args),
    count: async (...args) => (await this.#get()).jobs.count(...args),
    revive: async (...args) => (await this.#get()).jobs.revive(...args),
  };

  readonly spaces: Spaces = {
    list: async (...args) => (await this.#get()).spaces.list(...args),
    declare: async (...args) => (await this.#get()).spaces.declare(...args),
    activate: async (...args) => (await this.#get()).spaces.activate(...args),
    drop: async (...args) => (await this.#get()).spaces.drop(...args),
  };

  constructor(load: () => Promise<Ledger>) {
    this.#load = load;
  }

  #get(): Promise<Ledger> {
    if (this.#closed !== undefined) return Promise.reject(new FluxError("closed", "The ledger was closed"));
    if (this.#ledger === undefined) {
      const loading = this.#load();
      this.#ledger = loading;
      loading.catch(() => {
        if (this.#ledger === loading) this.#ledger = undefined;
      });
    }
    return this.#ledger;
  }

  capabilities: Ledger["capabilities"] = async (...args) => (await this.#get()).capabilities(...args);
  append: Ledger["append"] = async (...args) => (await this.#get()).append(...args);
  update: Ledger["update"] = async (...args) => (await this.#get()).update(...args);
  read: Ledger["read"] = async (...args) => (await this.#get()).read(...args);
  index: Ledger["index"] = async (...args) => (await this.#get()).index(...args);
  partitions: Ledger["partitions"] = async (...args) => (await this.#get()).partitions(...args);
  setPolicy: Ledger["setPolicy"] = async (...args) => (await this.#get()).setPolicy(...args);
  erase: Ledger["erase"] = async (...args) => (await this.#get()).erase(...args);
  purge: Ledger["purge"] = async (...args) => (await this.#get()).purge(...args);
  undo: Ledger["undo"] = async (...args) => (await this.#get()).undo(...args);
  purged: Ledger["purged"] = async (...args) => (await this.#get()).purged(...args);
  erasure: Ledger["erasure"] = async (...args) => (await this.#get()).erasure(...args);
  verify: Ledger["verify"] = async (...args) => (await this.#get()).verify(...args);
  maintain: Ledger["maintain"] = async (...args) => (await this.#get()).maintain(...args);

  close(): Promise<void> {
    const ledger = this.#ledger;
    // A load that fails while closing has nothing to close.
    this.#closed ??=
      ledger === undefined
        ? Promise.resolve()
        : ledger.then(
            (open) => open.close(),
            () => undefined,
          );
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
