import type { Command } from "commander";
import { defaultInstanceName, type Instance, instanceNamed } from "../service/daemon/instance.ts";
import { interruption } from "../service/daemon/interruption.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { Output } from "./output.ts";

/** What a command works with. */
export interface Context {
  /** Named by --name; it need not exist. */
  readonly instance: Instance;
  readonly output: Output;
  /** Aborted by SIGINT, SIGTERM and SIGHUP; a second signal ends the process at once. */
  readonly signal: AbortSignal;
}

/** A command that concerns one instance: it takes --name and, unless `json` is false, --json. */
export function instanceCommand(
  program: Command,
  nameAndArguments: string,
  description: string,
  { json = true }: { readonly json?: boolean } = {},
): Command {
  const command = program
    .command(nameAndArguments)
    .description(description)
    .option("--name <name>", "the instance, a folder in ~/.flux or FLUX_HOME", defaultInstanceName);
  return json ? command.option("--json", "print JSON") : command;
}

/**
 * What `action` of a command is given. Modules that take long to load are imported inside of `run`, so that --help answers
 * fast.
 *
 * @param run gets the options and then the arguments; how the program ends, if not with 0, is what it returns
 */
export function act<Options extends object, Args extends unknown[] = []>(
  run: (context: Context, options: Options, ...args: Args) => Promise<ExitCode | undefined>,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    // As commander calls it: the arguments, the options, the command.
    const options = given.at(-2) as Options & { readonly name: string; readonly json?: boolean };
    const args = given.slice(0, -2) as Args;
    const context = {
      instance: instanceNamed(options.name),
      output: new Output({ json: options.json === true }),
      signal: interruption(),
    };
    process.exitCode = (await run(context, options, ...args)) ?? exitCodes.ok;
  };
}
