import { FluxError } from "../model/errors.ts";
import { checkId, operationKey } from "../model/ids.ts";
import { partition as checkPartition, type Partition } from "../model/partition.ts";
import { checkObject, checkProbes, checkScope } from "./checks.ts";
import type { CallOptions, Driver, Transaction } from "./driver.ts";
import { erase, erasureReceipt, settle } from "./erase.ts";
import type { Ledger } from "./ledger.ts";
import type { LedgerTools } from "./ledger-tools.ts";
import { names } from "./option-names.ts";
import { systemTables } from "./system-tables.ts";
import type { Row } from "./table.ts";
import { verify } from "./verify.ts";

interface ErasureTools extends LedgerTools {
  /** Also while the ledger is being closed, so that a call comes to its end. */
  transact<T>(partition: Partition, transaction: Transaction<T>, options?: CallOptions): Promise<T>;
  /** A fresh salt for a partition's fingerprints. */
  salt(): string;
}

/** The calls about erasures of every ledger that is made of a driver. */
export class LedgerErasures implements Pick<Ledger, "erase" | "erasure" | "verify"> {
  readonly #driver: Driver;
  readonly #tools: ErasureTools;

  constructor(driver: Driver, tools: ErasureTools) {
    this.#driver = driver;
    this.#tools = tools;
  }

  erase: Ledger["erase"] = async (partition, call, options) => {
    const { operation, ...given } = checkObject(call, "call");
    const key = operationKey(checkPartition(partition), checkId(operation, "operation"));
    const scope = checkScope(given);
    const request = { key, scope, now: this.#tools.now(), salt: this.#tools.salt() };
    return this.#tools.finish(options, async () => {
      const receipt = await this.#tools.transact(partition, erase(request), options);
      if (receipt.state === "physically_erased") return receipt;
      // The erasure is committed whatever becomes of the cleaning, which maintain() takes up again.
      const physical = await this.clean(partition, key, options).catch(() => false);
      return physical ? { ...receipt, state: "physically_erased" as const } : receipt;
    });
  };

  erasure: Ledger["erasure"] = async (partition, id, options) => {
    this.#tools.open(options);
    const row = await this.#row(partition, id, options);
    return row === undefined ? undefined : erasureReceipt(row);
  };

  verify: Ledger["verify"] = async (partition, id, options) => {
    const { probes, signal } = checkObject(options ?? {}, "options", names.verify);
    const texts = probes === undefined ? undefined : checkProbes(probes);
    return this.#tools.finish({ signal }, async () => {
      const row = await this.#row(partition, id, { signal });
      if (row === undefined) throw new FluxError("not_found", "There is no such erasure in this partition");
      return verify(this.#driver, checkPartition(partition), row, { probes: texts, signal });
    });
  };

  /** Tries to remove the bytes of an erasure from the files; whether they are gone. */
  async clean(partition: Partition, id: string, options?: CallOptions, shared?: string): Promise<boolean> {
    const row = await this.#row(partition, id, options);
    if (row === undefined || row.physical === true) return true;
    const mark = (row.mark as string) || shared || (await this.#driver.cleanMark(options));
    const physical = await this.#driver.clean(mark, options);
    await this.#tools.transact(partition, settle(id, { physical, mark }), options);
    return physical;
  }

  async #row(partition: Partition, id: string, options?: CallOptions): Promise<Row | undefined> {
    const { rows } = await this.#driver.snapshot(
      checkPartition(partition),
      [{ type: "get", table: systemTables.erasure, key: [checkId(id, "erasure")] }],
      options,
    );
    return rows[0]?.[0];
  }
}
