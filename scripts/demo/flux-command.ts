import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** The command line, as users have it: a program that prints JSON. */
export class FluxCommand {
  readonly #bin: string;
  readonly #env: NodeJS.ProcessEnv;

  /**
   * @param bin the file that Node runs
   * @param env what its environment has beside that of this process
   */
  constructor(bin: string, env: NodeJS.ProcessEnv = {}) {
    this.#bin = bin;
    this.#env = { ...process.env, ...env };
  }

  /**
   * Runs a command with --json.
   *
   * @throws FluxCommandError when it fails
   */
  async run<T>(...args: string[]): Promise<T> {
    const child = spawn(process.execPath, [this.#bin, ...args, "--json"], {
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [[code], output, problems] = await Promise.all([
      once(child, "close"),
      text(child.stdout),
      text(child.stderr),
    ]);
    if (code !== 0) throw new FluxCommandError(`flux ${args.join(" ")} ended with ${code}`, problems);
    return JSON.parse(output);
  }
}

export class FluxCommandError extends Error {
  override readonly name = "FluxCommandError";
  /** Of the error that the command told of. */
  readonly code: string | undefined;

  /** @param problems what the command wrote to standard error */
  constructor(message: string, problems: string) {
    super(`${message}\n${problems}`);
    this.code = /^error \[(\w+)\]: /m.exec(problems)?.[1];
  }
}
