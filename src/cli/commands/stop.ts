import type { Command } from "commander";
import { requireInstance } from "../../service/daemon/instance.ts";
import { act, instanceCommand } from "../command.ts";

export function addStop(program: Command): void {
  instanceCommand(
    program,
    "stop",
    "Ends the daemon of an instance once it has done what it took on. One that is not running is no error.",
  )
    .option("--force", "end one that does not answer at once")
    .action(
      act<{ readonly force?: true }>(async ({ instance, output, signal }, { force = false }) => {
        const { stopDaemon } = await import("../../service/daemon/stop-daemon.ts");
        requireInstance(instance);
        const pid = await stopDaemon(instance, { signal, force });
        const text = pid === undefined ? `${instance.name} was not running` : `${instance.name} was stopped`;
        output.print(
          { name: instance.name, stopped: pid !== undefined, ...(pid === undefined ? {} : { pid }) },
          text,
        );
        return undefined;
      }),
    );
}
