import { Command } from "commander";

/**
 * The command line with all its commands. A command that is interrupted or misused throws; see `main`.
 *
 * @param version of the package
 */
export function createProgram(version: string): Command {
  const program = new Command("flux")
    .description("Memory for AI agents: a daemon with REST and MCP over one SQLite file.")
    .version(version)
    .helpCommand(false)
    .exitOverride()
    // Told by main, as every other error is.
    .configureOutput({ outputError: () => undefined });
  return program;
}
