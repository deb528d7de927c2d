/**
 * A process that writes to a SQLite file and kills itself just before its statement number `argv[3]`. Each operation is
 * written to the standard output once it is acknowledged, synchronously, so that nothing said is lost with the process.
 */
import { writeSync } from "node:fs";
import Database from "better-sqlite3";
import { operations } from "./dying-operations.ts";

const [path = "", last = "0"] = process.argv.slice(2);

let left = Number(last);
const prepare = Database.prototype.prepare;
Database.prototype.prepare = function (this: Database.Database, text: string) {
  const statement = prepare.call(this, text);
  for (const method of ["run", "get", "all"] as const) {
    const call = statement[method] as (...args: unknown[]) => never;
    statement[method] = (...args: unknown[]) => {
      left -= 1;
      if (left === 0) process.kill(process.pid, "SIGKILL");
      return call.apply(statement, args);
    };
  }
  return statement;
} as typeof prepare;

// Loaded after the change above, so that the adapter prepares its statements with it.
const { sqliteLedger } = await import("../../src/store/sqlite/ledger.ts");
const ledger = sqliteLedger({ path });
for (const [name, run] of Object.entries(operations)) {
  await run(ledger);
  writeSync(1, `${name}\n`);
}
await ledger.close();
writeSync(1, "end\n");
