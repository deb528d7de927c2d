import { randomBytes } from "node:crypto";
import type { Config } from "../config.ts";
import { FluxService } from "../flux-service.ts";
import { createApp, type RestApp } from "../http/app.ts";
import { type RestServer, serve } from "../http/serve.ts";
import { readConfig } from "./config-file.ts";
import { controlRoutes } from "./control.ts";
import { DaemonLock } from "./daemon-lock.ts";
import type { DaemonLog } from "./daemon-log.ts";
import { type DaemonRecord, removeDaemonRecord, writeDaemonRecord } from "./daemon-record.ts";
import { alreadyRunning, settledDaemon } from "./find-daemon.ts";
import type { Instance } from "./instance.ts";
import { instanceStore } from "./instance-store.ts";
import { logHealth } from "./log-health.ts";
import { processStart } from "./process-start.ts";
import { shutdownDeadline } from "./shutdown-deadline.ts";
import { packageVersion } from "./version.ts";

export interface HostOptions {
  readonly log: DaemonLog;
  /** Listen here and nowhere else; 0 for any free port. Default: REST_PORT, or a free one if that is taken. */
  readonly port?: number | undefined;
  /** Ends the daemon when it is aborted. */
  readonly signal: AbortSignal;
  /** Told once it answers. */
  readonly onReady: (record: DaemonRecord) => void;
}

/**
 * Makes this process the daemon of an instance, until it is asked to end, its signal is aborted or its folder is removed. Then it
 * takes no more calls, ends those that it took on, and resolves; after `shutdownDeadline` it ends the process whatever is left.
 *
 * @throws FluxError `daemon_running`, `port_in_use`, what `readConfig` and a store can fail with
 */
export async function hostDaemon(
  instance: Instance,
  { log, port, signal, onReady }: HostOptions,
): Promise<void> {
  const config = readConfig(instance);
  using lock = DaemonLock.take(instance.lockFile);
  if (lock === undefined) throw alreadyRunning(instance, await settledDaemon(instance, signal));
  // Left behind by one that was killed.
  removeDaemonRecord(instance.daemonFile);
  process.on("uncaughtException", (error) => {
    log.error("crashed", error);
    process.exit(1);
  });
  const ending = new AbortController();
  const nonce = randomBytes(32).toString("hex");
  await using store = instanceStore(instance, config, { worker: true });
  await using service = new FluxService(store, { config });
  await service.start();
  void logHealth(service.events(), log);
  const app = createApp(service, { onError: (error) => log.error("request failed", error) });
  const control = controlRoutes({ nonce, stop: () => ending.abort("asked to") });
  await using server = await listen(join(app, control), config, port);
  const record: DaemonRecord = {
    pid: process.pid,
    process_start: processStart(process.pid),
    nonce,
    url: server.url,
    port: server.port,
    version: packageVersion(),
    started_at: Date.now(),
  };
  writeDaemonRecord(instance.daemonFile, record);
  log.info("started", {
    url: server.url,
    pid: process.pid,
    version: record.version,
    mode: config.OPERATING_MODE,
  });
  onReady(record);
  const reason = await firstOf({ ending: ending.signal, signal, lock });
  log.info("stopping", { reason });
  setTimeout(() => {
    log.info("gave up", { after: shutdownDeadline });
    process.exit(1);
  }, shutdownDeadline).unref();
  if (lock.stands()) writeDaemonRecord(instance.daemonFile, { ...record, stopping: true });
  await server.close();
  await service.stop();
  await store.close();
  log.info("stopped");
  removeDaemonRecord(instance.daemonFile);
}

/** One server for both: what is asked of the daemon itself never reaches the memory. */
function join(app: RestApp, control: ReturnType<typeof controlRoutes>): Pick<RestApp, "fetch"> {
  return {
    fetch: (request, ...rest) =>
      /^\/daemon(\/|$)/.test(new URL(request.url).pathname)
        ? control.fetch(request, ...rest)
        : app.fetch(request, ...rest),
  };
}

async function listen(
  app: Pick<RestApp, "fetch">,
  { REST_HOST: host, REST_PORT }: Config,
  port: number | undefined,
): Promise<RestServer> {
  const drain = shutdownDeadline / 2;
  try {
    return await serve(app, { host, port: port ?? REST_PORT, drain });
  } catch (error) {
    if (port !== undefined || (error as { readonly code?: unknown }).code !== "port_in_use") throw error;
    return serve(app, { host, port: 0, drain });
  }
}

/** Milliseconds between two looks whether the instance is still there. */
const lookInterval = 2000;

/** Why the daemon ends. */
function firstOf({
  ending,
  signal,
  lock,
}: {
  readonly ending: AbortSignal;
  readonly signal: AbortSignal;
  readonly lock: DaemonLock;
}): Promise<string> {
  return new Promise((resolve) => {
    const look = setInterval(() => lock.stands() || end("its folder was removed"), lookInterval);
    const end = (reason: string): void => {
      clearInterval(look);
      resolve(reason);
    };
    for (const [name, of] of [
      ["asked to", ending],
      ["signal", signal],
    ] as const) {
      if (of.aborted) end(name);
      else of.addEventListener("abort", () => end(name), { once: true });
    }
  });
}
