import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, FluxError, FluxTypeError } from "../../model/errors.ts";
import { programName } from "./program-name.ts";

/** Where one memory and its daemon have their files. */
export interface Instance {
  readonly name: string;
  /** Only its owner may look into it. */
  readonly folder: string;
  readonly configFile: string;
  readonly databaseFile: string;
  /** What a running daemon says about itself; see `DaemonRecord`. */
  readonly daemonFile: string;
  /** Locked for as long as a daemon runs. */
  readonly lockFile: string;
  readonly logFile: string;
  /** Snippets for the configuration of MCP clients. */
  readonly integrationsFolder: string;
}

/** What a command uses that is not told a name. */
export const defaultInstanceName = "default";

/**
 * The files of an instance, whether they exist or not.
 *
 * @param name 1 to 64 letters, digits, `-` and `_`, the first of them no `-`. It is the name of a folder, part of the name of an MCP
 *   server and an argument in configuration files: nothing in it has to be escaped anywhere
 * @param home where instances have their folders. Default: `fluxHome()`
 * @throws FluxTypeError or FluxError `invalid_argument` for another name
 */
export function instanceNamed(name: string, home: string = fluxHome()): Instance {
  if (typeof name !== "string")
    throw new FluxTypeError(
      "invalid_argument",
      `The name of an instance must be a string, not ${describe(name)}`,
    );
  if (!/^\w[\w-]{0,63}$/.test(name) || windowsDevice.test(name))
    throw new FluxError("invalid_argument", "The name of an instance is not valid", {
      hint: "Use 1 to 64 of the letters a to z, digits, - and _, the first of them no -.",
    });
  const folder = join(home, name);
  return {
    name,
    folder,
    configFile: join(folder, "config.yaml"),
    databaseFile: join(folder, "flux.db"),
    daemonFile: join(folder, "daemon.json"),
    lockFile: join(folder, "daemon.lock"),
    logFile: join(folder, "daemon.log"),
    integrationsFolder: join(folder, "integrations"),
  };
}

/** Names that open a device on Windows, whatever the folder. */
const windowsDevice = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** The folder of all instances: what FLUX_HOME says, else `.flux` in the home folder of the user. */
export function fluxHome(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(env.FLUX_HOME || join(homedir(), ".flux"));
}

/** Name of the MCP server of an instance, as clients show it. */
export function mcpServerName({ name }: Instance): string {
  return `flux-${name}`;
}

/** @throws FluxError `instance_not_found` when it has no folder */
export function requireInstance(instance: Instance): void {
  if (!existsSync(instance.folder)) throw instanceNotFound(instance);
}

export function instanceNotFound({ name }: Instance): FluxError {
  return new FluxError("instance_not_found", `There is no instance ${name}`, {
    hint: `${programName()} init --name ${name} makes one. Instances are folders in ~/.flux, or in FLUX_HOME.`,
  });
}
