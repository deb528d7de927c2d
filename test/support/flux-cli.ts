import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { createInstance } from "../../src/service/daemon/create-instance.ts";
import { type DaemonRecord, readDaemonRecord } from "../../src/service/daemon/daemon-record.ts";
import { findDaemon } from "../../src/service/daemon/find-daemon.ts";
import { type Instance, instanceNamed } from "../../src/service/daemon/instance.ts";

/** The command line, as Node runs it. */
export const fluxProgram = fileURLToPath(new URL("../../src/cli/bin.ts", import.meta.url));

export interface Ended {
  /** Exit code, or the signal that ended it. */
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command of the command line that runs in a process of its own. */
export interface Running {
  /** Its standard input is open. */
  readonly process: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** Resolves when its standard output has this text; rejects when it ended without. */
  says(text: string): Promise<void>;
}

/**
 * The command line with a FLUX_HOME of its own, whose path has spaces and letters of several scripts. After the tests of the
 * file its daemons are ended, and it is removed.
 */
export class FluxCli {
  readonly home = join(mkdtempSync(join(tmpdir(), "flux-cli-")), "Größe 名前 \u{1F4BE}");
  readonly env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv = {}) {
    this.env = {
      ...process.env,
      FLUX_HOME: this.home,
      FLUX_EMBEDDER: "hash",
      NO_COLOR: "",
      FLUX_DEBUG: "",
      // Hints name npx where it is what started the tests.
      npm_command: "",
      ...env,
    };
    afterAll(() => this.#remove());
  }

  spawn(...args: readonly string[]): Running {
    const child = spawn(process.execPath, [fluxProgram, ...args], { env: this.env });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
      });
    }
    const ended = once(child, "close").then(([code, signal]) => ({ code: code ?? signal, ...output }));
    const says = async (text: string): Promise<void> => {
      while (!output.stdout.includes(text)) {
        const end = ended.then(({ stderr }) => Promise.reject(new Error(`It ended: ${stderr}`)));
        await Promise.race([once(child.stdout, "data"), end]);
      }
    };
    return { process: child, ended, says };
  }

  run(...args: readonly string[]): Promise<Ended> {
    return this.runWith("", ...args);
  }

  /** Runs a command with something on its standard input. */
  runWith(input: string, ...args: readonly string[]): Promise<Ended> {
    const command = this.spawn(...args);
    // A command that fails ends before it has read it.
    command.process.stdin.on("error", () => undefined).end(input);
    return command.ended;
  }

  /** Runs a command that must succeed, and returns what it prints with --json. */
  async json<T = Record<string, unknown>>(...args: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run(...args, "--json");
    if (code !== 0) throw new Error(`flux ${args.join(" ")} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  instance(name: string): Instance {
    return instanceNamed(name, this.home);
  }

  /**
   * Makes an instance whose daemon takes a free port: tests that run beside this one have their own.
   *
   * @param config more lines of its configuration
   */
  make(name: string, config = ""): string {
    const instance = this.instance(name);
    createInstance(instance, { mode: "caller_extracts" });
    writeFileSync(instance.configFile, `OPERATING_MODE: caller_extracts\nREST_PORT: 0\n${config}`);
    return name;
  }

  /** What the daemon of an instance says about itself. */
  record(name: string): DaemonRecord {
    const record = readDaemonRecord(this.instance(name).daemonFile);
    if (record === undefined) throw new Error(`${name} has no record`);
    return record;
  }

  async #remove(): Promise<void> {
    for (const name of existsSync(this.home) ? readdirSync(this.home) : []) {
      const found = await findDaemon(this.instance(name));
      if ("record" in found) process.kill(found.record.pid, "SIGKILL");
    }
    rmSync(join(this.home, ".."), { recursive: true, force: true });
  }
}
