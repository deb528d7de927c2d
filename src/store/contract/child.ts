/** The other process of the contract suite's cases: opens the store, waits for `go`, and does one task. */
import { once } from "node:events";
import type { Ledger } from "../ledger.ts";
import type { Assignment, Message, Task } from "./processes.ts";

function tell(message: Message): void {
  process.send?.(message);
}

/** Does the task, and closes the store before it says so. */
async function serve(): Promise<unknown> {
  const [assignment] = (await once(process, "message")) as [Assignment];
  const begin = once(process, "message");
  const { open } = (await import(assignment.module)) as { open: (place: string) => Promise<Ledger> | Ledger };
  const tasks = (await import(assignment.task.module)) as Readonly<Record<string, Task<unknown, unknown>>>;
  const task = tasks[assignment.task.name];
  if (task === undefined) throw new TypeError(`No task is exported as ${assignment.task.name}`);
  await using ledger = await open(assignment.place);
  // A lazy ledger opens its store at the first call.
  await ledger.capabilities();
  tell({ type: "ready" });
  await begin;
  return await task.run(ledger, assignment.input, (value) => tell({ type: "report", value }));
}

// A child without a parent has nobody to work for.
process.once("disconnect", () => process.exit());
serve()
  .then(
    (result) => tell({ type: "done", result }),
    (error: unknown) => {
      process.exitCode = 1;
      tell({ type: "failed", error: error instanceof Error ? String(error.stack) : String(error) });
    },
  )
  .finally(() => process.disconnect());
