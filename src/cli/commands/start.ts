import type { Command } from "commander";
import type { DaemonRecord } from "../../service/daemon/daemon-record.ts";
import { act, instanceCommand } from "../command.ts";
import { wholeNumber } from "../whole-number.ts";

interface StartCommandOptions {
  readonly foreground?: true;
  readonly port?: number;
}

export function addStart(program: Command): void {
  instanceCommand(
    program,
    "start",
    "Starts the daemon of an instance in the background, and tells where it listens.",
  )
    .option("--foreground", "stay in this process and log to standard error")
    .option(
      "--port <port>",
      "listen here and nowhere else; 0 for any free port (default: REST_PORT, or a free one if that is taken)",
      wholeNumber(0, 65_535),
    )
    .action(
      act<StartCommandOptions>(async ({ instance, output, signal }, { foreground = false, port }) => {
        const { readConfig } = await import("../../service/daemon/config-file.ts");
        const { REST_PORT: usual } = readConfig(instance);
        const announce = ({ url, pid, version, port: listens }: DaemonRecord): void => {
          if (port === undefined && usual !== 0 && listens !== usual)
            output.note(`Port ${usual} is taken: it listens at ${listens} until it is stopped.`);
          const lines = [
            `${instance.name} is running, process ${pid}`,
            `REST API: ${url}`,
            `Health:   ${url}/health`,
          ];
          output.print({ name: instance.name, url, pid, version }, lines.join("\n"));
        };
        if (foreground) {
          const { hostDaemon } = await import("../../service/daemon/host-daemon.ts");
          const { logTo } = await import("../../service/daemon/daemon-log.ts");
          const log = logTo((line) => process.stderr.write(line));
          await hostDaemon(instance, { log, port, signal, onReady: announce });
        } else {
          const { startDaemon } = await import("../../service/daemon/start-daemon.ts");
          announce(await startDaemon(instance, { port, signal }));
        }
        return undefined;
      }),
    );
}
