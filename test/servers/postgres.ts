/**
 * Real PostgreSQL servers for tests: each with its own folder, port and password, gone without a trace afterwards.
 * Locks, notifications and crash recovery cannot be tested on anything less, so a missing server is installed where
 * possible and an error where not, never a skipped test.
 */
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { chown, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { freePort } from "./free-port.ts";
import { withoutPgvector, withPgvector } from "./pgvector.ts";
import { postgresPrograms } from "./postgres-programs.ts";

const run = promisify(execFile);

/** PostgreSQL's shutdown modes: smart waits for clients, fast disconnects them, immediate skips the checkpoint. */
export type StopMode = "smart" | "fast" | "immediate";
const stopSignals = { smart: "SIGTERM", fast: "SIGINT", immediate: "SIGQUIT" } as const;

export interface PostgresOptions {
  /** Server settings, as in postgresql.conf: `{ max_connections: 5 }`. */
  settings?: Record<string, string | number | boolean>;
  /** Whether `create extension vector` can work there: true unless told otherwise. No database has it created. */
  pgvector?: boolean;
}

export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** Stops the server and keeps its data for `restart()`. */
  stop(mode?: StopMode): Promise<void>;
  /** Ends every process of the server with SIGKILL, as a crash does, and keeps its data for `restart()`. */
  kill(): Promise<void>;
  /** Starts the server again on the same port and data; one that still runs is stopped first. */
  restart(): Promise<void>;
  /** Stops the server and removes its folder. Happens by itself when the process that started it ends. */
  remove(): Promise<void>;
}

export async function startPostgres({
  settings = {},
  pgvector = true,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const programs = await postgresPrograms();
  const bin = await (pgvector ? withPgvector(programs) : withoutPgvector(programs));
  const owner = serverUser();
  const dir = await mkdtemp(join(tmpdir(), "flux-postgres-"));
  const dataDir = join(dir, "data");
  const logFile = join(dir, "log");
  const password = randomBytes(12).toString("hex");
  // In the folder and as the user of the server, and out of reach of the terminal's Ctrl-C, which goes to the runner.
  const spawnOptions = { ...owner, cwd: dir, detached: true };

  const passwordFile = join(dir, "password");
  await writeFile(passwordFile, password);
  if (owner) await Promise.all([dir, passwordFile].map((path) => chown(path, owner.uid, owner.gid)));
  const watchdog = spawn("sh", ["-c", watchdogScript, "sh", bin, dir], {
    ...spawnOptions,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchdog.unref();
  const removed = once(watchdog, "exit");

  async function remove(): Promise<void> {
    watchdog.stdin.end();
    await inTime(removed, "remove its folder");
    await inTime(server?.gone, "stop");
  }

  let server: { process: ChildProcess; gone: Promise<unknown> } | undefined;
  let port = 0;
  const url = () => `postgres://flux:${password}@127.0.0.1:${port}/postgres`;

  async function start(): Promise<void> {
    const all = {
      listen_addresses: "127.0.0.1",
      port,
      unix_socket_directories: "",
      max_connections: 200,
      ...settings,
    };
    const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const log = openSync(logFile, "a");
    // Every process of the server inherits the pipe and never writes to it: it closes when the last of them is gone.
    const child = spawn(join(bin, "postgres"), ["-D", dataDir, ...args], {
      ...spawnOptions,
      stdio: ["ignore", "pipe", log],
    });
    closeSync(log);
    child.stdout?.resume();
    child.unref();
    server = { process: child, gone: once(child, "close") };
    const deadline = Date.now() + patience;
    while (!(await accepts(url()))) {
      if (hasEnded(child) || Date.now() > deadline) {
        child.kill("SIGKILL");
        throw new Error(
          `PostgreSQL did not start. Its log ends:\n${readFileSync(logFile, "utf8").slice(-2000)}`,
        );
      }
      await sleep(30);
    }
  }

  async function stop(mode: StopMode = "fast"): Promise<void> {
    server?.process.kill(stopSignals[mode]);
    await inTime(server?.gone, "stop");
  }

  try {
    // Text sorts by language, as on most servers in use: a query that relies on byte order must say COLLATE "C".
    const init = [
      `--pgdata=${dataDir}`,
      "--username=flux",
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=icu",
      "--icu-locale=en-US",
      "--no-sync",
    ];
    await run(join(bin, "initdb"), init, { ...owner, cwd: dir });
    for (let attempt = 1; ; attempt++) {
      port = await freePort();
      try {
        await start();
        break;
      } catch (error) {
        // Another process can take the port between our look and the server's start.
        if (attempt === 5 || !/Address already in use/.test(String(error))) throw error;
      }
    }
  } catch (error) {
    await remove();
    throw error;
  }

  return {
    url: url(),
    port,
    dataDir,
    stop,
    async kill() {
      if (server === undefined || hasEnded(server.process)) return;
      const children = spawnSync("pgrep", ["-P", String(server.process.pid)], { encoding: "utf8" }).stdout;
      server.process.kill("SIGKILL");
      for (const pid of children.split("\n").filter(Boolean)) endProcess(Number(pid));
      await inTime(server.gone, "die");
    },
    async restart() {
      await stop();
      await start();
    },
    remove,
    [Symbol.asyncDispose]: remove,
  };
}

/** How long a server may take for anything before we call it broken. */
const patience = 60_000;

/**
 * Waits until the process that started it closes the pipe or dies in whatever way, then removes the server and its
 * folder. The only way a server ever goes, so that the way that matters after a crash is the one that is always used.
 */
const watchdogScript = `
  cat >/dev/null
  "$1/pg_ctl" stop -D "$2/data" -m immediate
  cd / && rm -rf "$2"
`;

async function inTime(event: Promise<unknown> | undefined, what: string): Promise<void> {
  // The timer also keeps this process alive meanwhile: the server's own handles do not, so that none is kept by it.
  const timer = new AbortController();
  const late = sleep(patience, undefined, { signal: timer.signal }).then(
    () => Promise.reject(new Error(`PostgreSQL did not ${what} within ${patience} ms`)),
    () => undefined,
  );
  await Promise.race([event, late]).finally(() => timer.abort());
}

async function accepts(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** PostgreSQL refuses to run as root: there it runs as the user that its package makes. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
