import { existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import type { Instance } from "../../service/daemon/instance.ts";
import { programName } from "../../service/daemon/program-name.ts";
import { mcpClients, mcpSnippets } from "../mcp-snippets.ts";
import { type Finding, ok, warning } from "./finding.ts";

/** Whether others than the owner may read what is remembered. Windows has other rules than these bits. */
export function checkPermissions(instance: Instance): Finding {
  const { folder, configFile, databaseFile, daemonFile, lockFile, logFile, integrationsFolder } = instance;
  const files = [
    configFile,
    databaseFile,
    `${databaseFile}-wal`,
    daemonFile,
    lockFile,
    logFile,
    integrationsFolder,
  ];
  if (process.platform === "win32") return ok("permissions", "as Windows has them");
  const open = [folder, ...files].filter((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && (found.mode & 0o077) !== 0;
  });
  if (open.length === 0) return ok("permissions", "only you can read the folder and its files");
  return warning("permissions", `others may read ${open.join(", ")}`, `chmod -R go= "${folder}"`);
}

/** Bytes that a store needs to go on working: a checkpoint and a rebuild write what is there a second time. */
const needed = 200_000_000;

export function checkDisk({ folder }: Instance): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const detail = `${Math.round(free / 1e6)} MB free`;
  return free >= needed
    ? ok("disk", detail)
    : warning("disk", detail, "Make room: a full disk refuses every write.");
}

export function checkSnippets(instance: Instance): Finding {
  const snippets = mcpSnippets(instance);
  const differs = mcpClients.filter((client) => {
    const { file, text } = snippets[client];
    return !existsSync(file) || readFileSync(file, "utf8") !== text;
  });
  if (differs.length === 0) return ok("snippets", instance.integrationsFolder);
  const detail = `not as this version writes them: ${differs.join(", ")}`;
  return warning("snippets", detail, `${programName()} mcp-config --name ${instance.name} writes them anew.`);
}
