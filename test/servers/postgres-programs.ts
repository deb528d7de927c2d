/** Where PostgreSQL's programs are, and their installation where there are none. */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { canInstall, install } from "./apt.ts";

/** The folder that holds Debian's servers, by their major versions. */
export const debianServers = "/usr/lib/postgresql";

let installed: Promise<void> | undefined;

/** The folder with initdb and its companions. Installs them where possible, once for all servers of this process. */
export async function postgresPrograms(): Promise<string> {
  const found = findPrograms();
  if (found) return found;
  installed ??= installServer();
  const failure: unknown = await installed.catch((error) => error);
  const bin = findPrograms();
  if (bin) return bin;
  throw new Error(
    "The tests need a PostgreSQL server, version 15 or newer. Install it (apt-get install postgresql, " +
      "brew install postgresql@17) or put the folder with its initdb and postgres on the PATH.",
    { cause: failure },
  );
}

/** The one on the PATH, else Debian's newest. Where the programs lie themselves, not links to them. */
function findPrograms(): string | undefined {
  const versions = existsSync(debianServers)
    ? readdirSync(debianServers).sort((a, b) => Number(b) - Number(a))
    : [];
  const onPath = (process.env.PATH ?? "").split(delimiter);
  const initdb = [...onPath, ...versions.map((version) => join(debianServers, version, "bin"))]
    .map((folder) => join(folder, "initdb"))
    .find(existsSync);
  return initdb && dirname(realpathSync(initdb));
}

async function installServer(): Promise<void> {
  if (!canInstall()) return;
  console.info("PostgreSQL is missing: installing Debian's package postgresql");
  // Debian makes and starts a server of its own with the package, which nobody asked for here.
  const noCluster = "/etc/postgresql-common/createcluster.d/flux-memory-tests.conf";
  await mkdir(dirname(noCluster), { recursive: true });
  await writeFile(noCluster, "create_main_cluster = false\n");
  try {
    // procps has pgrep, which kill() finds the server's processes with and the smallest images lack.
    await install("postgresql", "procps");
  } finally {
    await rm(noCluster);
  }
}
