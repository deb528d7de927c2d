import type { OperatingMode } from "../config-keys.ts";
import { configYaml } from "../config-yaml.ts";
import { type Instance, mcpServerName } from "./instance.ts";
import { makePrivateFolder, writeNewPrivateFile } from "./private-files.ts";

/**
 * Makes the folder of an instance and a configuration with comments. What is there already stays as it is.
 *
 * @returns whether the configuration was made
 */
export function createInstance(instance: Instance, { mode }: { readonly mode: OperatingMode }): boolean {
  makePrivateFolder(instance.folder);
  const text = configYaml({ OPERATING_MODE: mode, MCP_SERVER_NAME: mcpServerName(instance) });
  return writeNewPrivateFile(instance.configFile, text);
}
