/** Daemons as their users start and end them, each command in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { FluxCli } from "../../test/support/flux-cli.ts";
import { DaemonLock } from "../service/daemon/daemon-lock.ts";
import { processStart } from "../service/daemon/process-start.ts";

const flux = new FluxCli();

async function started(name: string): Promise<{ readonly url: string; readonly pid: number }> {
  return flux.json("start", "--name", flux.make(name));
}

async function post(url: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

async function contents(url: string): Promise<string[]> {
  const texts: string[] = [];
  for (let after = ""; ; ) {
    const page = (await (await fetch(`${url}/grains?limit=500${after}`)).json()) as {
      grains: { content: string }[];
      cursor?: string;
    };
    texts.push(...page.grains.map(({ content }) => content));
    if (page.cursor === undefined) return texts;
    after = `&after=${encodeURIComponent(page.cursor)}`;
  }
}

/** Another process that does nothing until it is killed. */
function sleeper() {
  const child = spawn(process.execPath, ["--eval", "process.stdin.resume()"], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  afterAll(() => void child.kill("SIGKILL"));
  return child;
}

test("init, start, status and stop", async () => {
  const name = "my-memory";
  await flux.json("init", "--name", name, "--mode", "caller_extracts");
  const start = await flux.run("start", "--name", name);
  expect(start).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringContaining("my-memory is running"),
  });
  const { url, pid } = flux.record(name);
  expect(start.stdout).toContain(`${url}/health`);
  expect((await post(`${url}/store`, { content: "Alice is allergic to nuts" })).status).toBe(200);

  const status = await flux.run("status", "--name", name);
  expect(status).toMatchObject({ code: 0, stderr: "" });
  expect(status.stdout).toContain(url);
  expect(status.stdout).not.toContain("Alice");
  expect(await flux.json("status", "--name", name)).toMatchObject({
    state: "running",
    url,
    pid,
    service: { status: "healthy", operating_mode: "caller_extracts" },
    memory: { grains: { active: 1 } },
  });

  expect(await flux.run("stop", "--name", name)).toMatchObject({
    code: 0,
    stdout: "my-memory was stopped\n",
  });
  await expect(fetch(url)).rejects.toThrow();
  expect(existsSync(flux.instance(name).daemonFile)).toBe(false);
  expect(await flux.run("status", "--name", name)).toMatchObject({
    code: 3,
    stdout: "my-memory is not running\n",
  });
  expect(await flux.run("stop", "--name", name)).toMatchObject({
    code: 0,
    stdout: "my-memory was not running\n",
  });
  const log = readFileSync(flux.instance(name).logFile, "utf8");
  expect(log).toMatch(/info started .*\n.*info stopping reason="asked to"\n.*info stopped\n$/);
});

test("only one of several starts at once wins, and the others say where it is", async () => {
  const name = flux.make("race");
  const ended = await Promise.all([1, 2, 3].map(() => flux.run("start", "--name", name)));
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 4, 4]);
  const { url } = flux.record(name);
  for (const { stderr } of ended.filter(({ code }) => code === 4))
    expect(stderr).toContain(`error [daemon_running]: The daemon of race is running already at ${url}`);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const again = await flux.run("start", "--name", name, "--json");
  expect(again).toMatchObject({ code: 4, stderr: expect.stringContaining(url) });
  expect(JSON.parse(again.stdout)).toMatchObject({ error: { code: "daemon_running" } });
});

test("after a daemon was killed another one starts, with all that was stored", async () => {
  const { url, pid } = await started("killed");
  expect((await post(`${url}/store`, { content: "Bob likes tea" })).status).toBe(200);
  process.kill(pid, "SIGKILL");
  const { url: next } = await flux.json<{ url: string }>("start", "--name", "killed");
  expect(await contents(next)).toEqual(["Bob likes tea"]);
});

test("two instances run side by side", async () => {
  const [one, two] = await Promise.all([started("one"), started("two")]);
  await post(`${one.url}/store`, { content: "of one" });
  expect([await contents(one.url), await contents(two.url)]).toEqual([["of one"], []]);
  await flux.run("stop", "--name", "one");
  expect((await fetch(`${two.url}/health`)).status).toBe(200);
});

describe("a process that is not ours lives on", () => {
  const record = (pid: number, start: string | undefined) =>
    JSON.stringify({
      ...{ pid, process_start: start, nonce: "0".repeat(64), url: "http://127.0.0.1:1", port: 1 },
      ...{ version: "0.0.0", started_at: 0 },
    });

  test("when its id is in a file that was left behind", async () => {
    const other = sleeper();
    const { daemonFile } = flux.instance(flux.make("stale"));
    writeFileSync(daemonFile, record(other.pid as number, processStart(other.pid as number)));
    expect(await flux.run("status", "--name", "stale")).toMatchObject({ code: 3 });
    expect(await flux.run("stop", "--force", "--name", "stale")).toMatchObject({ code: 0 });
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
    expect(existsSync(daemonFile)).toBe(false);
  });

  test("when a daemon has the lock, but the id was given to another process since", async () => {
    const other = sleeper();
    const { daemonFile, lockFile } = flux.instance(flux.make("reused"));
    using _lock = DaemonLock.take(lockFile);
    writeFileSync(daemonFile, record(other.pid as number, processStart(process.pid)));
    const stop = await flux.run("stop", "--name", "reused");
    expect(stop).toMatchObject({ code: 1, stderr: expect.stringContaining("does not answer") });
    const force = await flux.run("stop", "--force", "--name", "reused");
    expect(force).toMatchObject({ code: 1, stderr: expect.stringContaining("not known to be the daemon") });
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
  });

  test("when another service answers at the port of the daemon", async () => {
    const asked: string[] = [];
    const server = createServer(({ headers, url = "" }, response) => {
      asked.push(`${url} ${headers.authorization ?? ""}`);
      response.setHeader("content-type", "application/json").end('{"identity":"0"}');
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const { daemonFile, lockFile } = flux.instance(flux.make("impostor"));
    using _lock = DaemonLock.take(lockFile);
    writeFileSync(daemonFile, record(process.pid, undefined).replaceAll(":1", `:${port}`));
    expect((await flux.run("stop", "--name", "impostor")).code).toBe(1);
    // Nor is it told the nonce.
    expect(asked).toEqual(["/daemon "]);
    server.close();
  });
});

test.skipIf(process.platform === "win32")(
  "a daemon that hangs is told of, and ended only by force",
  async () => {
    const { pid } = await started("hangs");
    process.kill(pid, "SIGSTOP");
    const status = await flux.run("status", "--name", "hangs");
    expect(status).toMatchObject({ code: 1, stderr: expect.stringContaining("error [unavailable]") });
    expect((await flux.run("stop", "--name", "hangs")).code).toBe(1);
    expect(processStart(pid)).toBeDefined();
    expect(await flux.json("stop", "--force", "--name", "hangs")).toMatchObject({ stopped: true, pid });
    expect(processStart(pid)).toBeUndefined();
  },
);

describe("what keeps a daemon from starting is told in the terminal", () => {
  test("a port that was asked for and is taken; one of the configuration is replaced by a free one", async () => {
    const server = createServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const name = flux.make("taken");
    expect(await flux.run("start", "--name", name, "--port", String(port))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("error [port_in_use]"),
    });
    writeFileSync(flux.instance(name).configFile, `OPERATING_MODE: caller_extracts\nREST_PORT: ${port}\n`);
    const { code, stdout, stderr } = await flux.run("start", "--name", name, "--json");
    const { url } = JSON.parse(stdout);
    const at = new URL(url).port;
    expect(code).toBe(0);
    expect(at).not.toBe(String(port));
    expect(stderr).toBe(`Port ${port} is taken: it listens at ${at} until it is stopped.\n`);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    server.close();
  });

  test("a configuration with mistakes, with their place", async () => {
    const name = flux.make("mistaken", "READ_WORKER: 3\n");
    const start = await flux.run("start", "--name", name);
    expect(start).toMatchObject({ code: 1, stdout: "" });
    expect(start.stderr).toContain("error [config_unknown_key]: config.yaml, line 3");
    expect(start.stderr).toContain("READ_WORKERS");
  });

  test("a database that is damaged", async () => {
    const { databaseFile } = flux.instance(flux.make("damaged"));
    writeFileSync(databaseFile, "this is no database, and longer than its header is ".repeat(100));
    const start = await flux.run("start", "--name", "damaged");
    expect(start).toMatchObject({ code: 1, stderr: expect.stringContaining("error [storage_corrupt]") });
    expect(start.stderr).not.toContain("    at ");
    const doctor = await flux.run("doctor", "--name", "damaged");
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining("✗ database") });
  });

  test("an embedder that there is none of", async () => {
    const start = await flux.run("start", "--name", flux.make("embedder", "EMBEDDER: nothing\n"));
    expect(start).toMatchObject({ code: 2, stderr: expect.stringContaining("no embedder of this name") });
  });
});

describe.skipIf(process.platform === "win32")("a signal ends a daemon", () => {
  test("under load without losing a write that it answered", async () => {
    const { url, pid } = await started("load");
    const answered: string[] = [];
    let next = 0;
    const writers = Array.from({ length: 8 }, async () => {
      for (;;) {
        const content = `note ${next++}`;
        const response = await post(`${url}/store`, { content, provenance: "user_stated" }).catch(
          () => undefined,
        );
        if (response?.status !== 200) return;
        answered.push(content);
        if (answered.length === 100) process.kill(pid, "SIGTERM");
      }
    });
    await Promise.all(writers);
    expect(answered.length).toBeGreaterThanOrEqual(100);
    // Waits until it has ended.
    await flux.run("stop", "--name", "load");
    expect(readFileSync(flux.instance("load").logFile, "utf8")).toMatch(/reason="signal"\n.*info stopped\n$/);
    const { url: again } = await flux.json<{ url: string }>("start", "--name", "load");
    const kept = new Set(await contents(again));
    expect(answered.filter((content) => !kept.has(content))).toEqual([]);
  });

  test("that runs in the foreground, whose log is standard error", async () => {
    const {
      process: daemon,
      ended,
      says,
    } = flux.spawn("start", "--foreground", "--name", flux.make("front"));
    await says("front is running");
    expect(flux.record("front").pid).toBe(daemon.pid);
    daemon.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/info stopped\n$/) });
  });
});

test("a daemon whose folder was removed ends", async () => {
  const { pid } = await started("removed");
  rmSync(flux.instance("removed").folder, { recursive: true });
  await expect.poll(() => processStart(pid)).toBeUndefined();
});

test.skipIf(process.platform === "win32")("nobody else can read what an instance has", async () => {
  await started("private");
  const { folder, ...files } = flux.instance("private");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const { configFile, databaseFile, daemonFile, lockFile, logFile } = files;
  for (const file of [configFile, databaseFile, `${databaseFile}-wal`, daemonFile, lockFile, logFile])
    expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
});
