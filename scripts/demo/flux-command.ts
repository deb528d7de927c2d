import { spawn } from "node:child_process";

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
  run<T>(...args: string[]): Promise<T> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [this.#bin, ...args, "--json"], {
        env: this.#env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      let problems = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        problems += text;
      });
      child.on("error", reject);
      child.on("close", (code) => {
        const last = parsed(output.trimEnd().split("\n").at(-1) ?? "");
        if (code === 0) resolve(last as T);
        else reject(new FluxCommandError(`flux ${args.join(" ")} ended with ${code}\n${problems}`, last));
      });
    });
  }
}

export class FluxCommandError extends Error {
  override readonly name = "FluxCommandError";
  /** Of the error that the command told of. */
  readonly code: string | undefined;

  constructor(message: string, output: unknown) {
    super(message);
    this.code = (output as { readonly error?: { readonly code?: string } } | undefined)?.error?.code;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
