import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../servers/free-port.ts";

const run = promisify(execFile);

/** A fenced block of Markdown. */
export interface Block {
  readonly language: string;
  readonly code: string;
  /** Where it begins, for messages. */
  readonly line: number;
  /** Of the comment `<!-- not run: … -->` before it. */
  readonly excuse: string | undefined;
}

export function readmeBlocks(): readonly Block[] {
  const markdown = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const fences = /(?:<!-- not run: (?<excuse>[^\n]+) -->\n)?```(?<language>\w*)\n(?<code>[\s\S]*?)```/g;
  return [...markdown.matchAll(fences)].map(({ index, groups }) => ({
    language: groups?.language ?? "",
    code: groups?.code ?? "",
    line: markdown.slice(0, index).split("\n").length,
    excuse: groups?.excuse,
  }));
}

/** Does what a reader does: runs blocks one after the other in a project that has the package installed. */
export class Reader {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #port: number;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.#env = {
      ...process.env,
      HOME: join(folder, "home"),
      FLUX_HOME: "",
      FLUX_EMBEDDER: "",
      OPENAI_API_KEY: "",
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    };
  }

  static async open(folder: string): Promise<Reader> {
    await mkdir(join(folder, "home"), { recursive: true });
    return new Reader(folder, await freePort());
  }

  /** What a block of TypeScript or of commands prints. */
  async run({ language, code, line }: Block): Promise<string> {
    // The port of the README may be taken on this machine.
    const here = code.replaceAll("7465", String(this.#port));
    if (language === "ts") {
      const file = `readme-${line}.ts`;
      await writeFile(join(this.#folder, file), here);
      return this.#execute(process.execPath, [file]);
    }
    const commands = here.replaceAll("flux-memory start", `flux-memory start --port ${this.#port}`);
    return this.#execute("bash", ["-euo", "pipefail", "-c", commands]);
  }

  async #execute(command: string, args: readonly string[]): Promise<string> {
    const { stdout } = await run(command, args, { cwd: this.#folder, env: this.#env });
    return stdout;
  }
}
