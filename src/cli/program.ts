import { Command } from "commander";
import { addDoctor } from "./commands/doctor.ts";
import { addErase } from "./commands/erase.ts";
import { addExport } from "./commands/export.ts";
import { addImport } from "./commands/import.ts";
import { addInit } from "./commands/init.ts";
import { addMcp } from "./commands/mcp.ts";
import { addMcpConfig } from "./commands/mcp-config.ts";
import { addReembed } from "./commands/reembed.ts";
import { addSearch } from "./commands/search.ts";
import { addStart } from "./commands/start.ts";
import { addStatus } from "./commands/status.ts";
import { addStop } from "./commands/stop.ts";
import { addStore } from "./commands/store.ts";

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
  const commands = [
    ...[addInit, addStart, addStop, addStatus, addDoctor, addMcp, addMcpConfig],
    ...[addStore, addSearch, addImport, addExport, addErase, addReembed],
  ];
  for (const add of commands) add(program);
  return program;
}
