// The background process of an instance: `daemon-process NAME [PORT]`, started by startDaemon.
import { FluxError } from "../../model/errors.ts";
import { fileLog } from "./daemon-log.ts";
import { hostDaemon } from "./host-daemon.ts";
import { instanceNamed } from "./instance.ts";
import { interruption } from "./interruption.ts";
import type { StartMessage } from "./start-daemon.ts";

const [name = "", port] = process.argv.slice(2);
const instance = instanceNamed(name);
const log = fileLog(instance.logFile);

function tell(message: StartMessage): Promise<void> {
  return new Promise((resolve) => {
    // Whoever started it may have gone.
    if (process.send === undefined || !process.connected) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}

try {
  await hostDaemon(instance, {
    log,
    signal: interruption(),
    port: port === undefined ? undefined : Number(port),
    onReady: (record) => void tell({ type: "ready", record }),
  });
} catch (error) {
  log.error("failed", error);
  const known = FluxError.isInstance(error)
    ? error
    : new FluxError("unavailable", "The daemon could not start", { hint: `See ${instance.logFile}.` });
  await tell({ type: "failed", error: known.toJSON() });
  process.exitCode = 1;
}
