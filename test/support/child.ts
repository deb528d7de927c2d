import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** What every child program finds imported. */
const prelude = `
import { partition } from ${source("model/partition.ts")};
import { insert, patch, remove } from ${source("store/batch.ts")};
import { derivedFrom, find, get, head, sourcesOf } from ${source("store/read.ts")};
import { sqliteLedger } from ${source("store/sqlite/ledger.ts")};
const stdinEnd = () => new Promise((resolve) => process.stdin.once("end", resolve).resume());
const tell = (value) => process.stdout.write(JSON.stringify(value) + "\\n");
const message = (content, rest = {}) =>
  insert("message", { sessionId: "s", role: "user", content, saidAt: 0, ...rest });
`;

/** Another process that runs a program of JavaScript; each thing it tells is a line of JSON. */
export class Child {
  readonly #process: ChildProcess;
  readonly #exit: Promise<unknown[]>;
  readonly #lines: string[] = [];
  #told = Promise.withResolvers<void>();
  #ended = false;
  #errors = "";

  constructor(program: string, { prefix = [] }: { readonly prefix?: readonly string[] } = {}) {
    const node = [process.execPath, "--disable-warning=ExperimentalWarning", "--input-type=module", "--eval"];
    const [command = "", ...args] = [...prefix, ...node, prelude + program];
    this.#process = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
    const { stdout, stderr } = this.#process;
    if (stdout === null || stderr === null) throw new Error("The child has no pipes");
    createInterface({ input: stdout })
      .on("line", (line) => {
        this.#lines.push(line);
        this.#told.resolve();
      })
      .on("close", () => {
        this.#ended = true;
        this.#told.resolve();
      });
    stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#errors += text;
    });
    this.#exit = once(this.#process, "close");
  }

  /** The next thing it tells; undefined at its end. */
  async next<T = unknown>(): Promise<T | undefined> {
    while (this.#lines.length === 0 && !this.#ended) {
      this.#told = Promise.withResolvers();
      await this.#told.promise;
    }
    const line = this.#lines.shift();
    return line === undefined ? undefined : JSON.parse(line);
  }

  /** Everything it has still to tell; fails if it did not end well. */
  async rest<T = unknown>(): Promise<T[]> {
    const said: T[] = [];
    for (let value = await this.next<T>(); value !== undefined; value = await this.next<T>())
      said.push(value);
    await this.success();
    return said;
  }

  /** Ends its standard input, which programs wait for with `await stdinEnd()`. */
  release(): void {
    this.#process.stdin?.end();
  }

  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    this.#process.kill(signal);
  }

  /** How it ended: 0, another exit code, or the name of a signal. */
  async exit(): Promise<number | string> {
    const [code, signal] = await this.#exit;
    return (code ?? signal) as number | string;
  }

  /** Fails with what it wrote to standard error unless it ended well. */
  async success(): Promise<void> {
    const exit = await this.exit();
    if (exit !== 0) throw new Error(`The child ended with ${exit}: ${this.#errors}`);
  }
}

function source(path: string): string {
  return JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
}
