import { checkId, operationKey } from "../model/ids.ts";
import { partition as checkPartition } from "../model/partition.ts";
import { checkMoment, checkObject, checkPurgeScope, checkRef } from "./checks.ts";
import type { RowRead } from "./driver.ts";
import type { Ledger } from "./ledger.ts";
import type { LedgerTools } from "./ledger-tools.ts";
import { names } from "./option-names.ts";
import { purge, toPurge, undo } from "./purge.ts";
import { systemTables } from "./system-tables.ts";
import type { Row } from "./table.ts";

/** The calls about purges of every ledger that is made of a driver. */
export class LedgerPurges implements Pick<Ledger, "purge" | "undo" | "purged"> {
  readonly #tools: LedgerTools;

  constructor(tools: LedgerTools) {
    this.#tools = tools;
  }

  purge: Ledger["purge"] = async (partition, call, options) => {
    const { operation, until, ...given } = checkObject(call, "call", names.purge);
    const key = operationKey(checkPartition(partition), checkId(operation, "operation"));
    const scope = checkPurgeScope(given);
    const request = { key, scope, until: checkMoment(until, "until"), now: this.#tools.now() };
    return this.#tools.transact(partition, purge(request), options);
  };

  undo: Ledger["undo"] = async (partition, call, options) => {
    const { operation, purge: id } = checkObject(call, "call", names.undo);
    const key = operationKey(checkPartition(partition), checkId(operation, "operation"));
    const request = { key, purge: checkId(id, "purge"), now: this.#tools.now() };
    return this.#tools.transact(partition, undo(request), options);
  };

  purged: Ledger["purged"] = async (partition, ref, options) => {
    const { kind, id } = checkRef(ref);
    const checked = checkPartition(partition);
    const driver = this.#tools.open(options);
    const read = async (reads: readonly RowRead[]): Promise<readonly Row[]> =>
      (await driver.snapshot(checked, reads, { signal: options?.signal })).rows.flat();
    const { seal, purge: table } = systemTables;
    return this.#tools.finish(options, async () => {
      const seals = await read([{ type: "find", table: seal, index: "byId", prefix: [kind, id] }]);
      if (seals.length === 0) return [];
      const rows = await read(
        seals.map((row): RowRead => ({ type: "get", table, key: [row.purge as string] })),
      );
      const open = rows.map(toPurge).filter(({ state }) => state === "open");
      return open.sort((a, b) => a.seq - b.seq);
    });
  };
}
