import { Server } from "node:net";
import type { Config } from "../../service/config.ts";
import { findDaemon } from "../../service/daemon/find-daemon.ts";
import type { Instance } from "../../service/daemon/instance.ts";
import { programName } from "../../service/daemon/program-name.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** Whether the daemon runs as it should, or could listen where it is told to. */
export async function checkDaemon(instance: Instance, config: Config, signal: AbortSignal): Promise<Finding> {
  const { name, logFile } = instance;
  const found = await findDaemon(instance, { signal });
  switch (found.state) {
    case "running":
      return ok("daemon", `running at ${found.record.url}`);
    case "unresponsive":
      return failed(
        "daemon",
        `process ${found.record.pid} does not answer`,
        `See ${logFile}. ${programName()} stop --force --name ${name} ends it at once.`,
      );
    case "stopped":
      return checkPort(config);
    default:
      return ok("daemon", found.state);
  }
}

async function checkPort({ REST_HOST: host, REST_PORT: port }: Config): Promise<Finding> {
  const server = new Server();
  const free = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen({ host, port }, () => resolve(true));
  });
  server.close();
  if (free) return ok("daemon", `not running; port ${port} is free`);
  const detail = `not running; port ${port} is taken`;
  return warning(
    "daemon",
    detail,
    `It will listen on another port; ${programName()} status tells which. REST_PORT sets a port.`,
  );
}
