/**
 * pgvector for the servers of tests. Debian 12 has no package of it for its PostgreSQL, so it is built, once a machine,
 * from the source package of Debian 13: beside the server, not in it. PostgreSQL finds its libraries and extensions by
 * where its program lies, so a folder that mirrors the server's, with links for all but the programs, is a server that
 * has pgvector, and the machine's own stays as it is.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { aptGet, canInstall, download, install } from "./apt.ts";
import { debianServers } from "./postgres-programs.ts";

const run = promisify(execFile);

/** The release of Debian whose pgvector is built: 0.8.0, the first with iterative scans. */
const release = "trixie";
const oldest = "0.8";

/** The folder of programs of a server like the given one that has pgvector: the same if it has it, else one built here. */
export async function withPgvector(bin: string): Promise<string> {
  const version = await ownVersion(bin);
  const order = version?.localeCompare(oldest, "en", { numeric: true });
  if (order !== undefined && order >= 0) return bin;
  const major = basename(dirname(bin));
  if (bin !== join(debianServers, major, "bin")) {
    throw new Error(
      `The tests need pgvector ${oldest} or newer in the PostgreSQL of ${bin}` +
        `${version === undefined ? "" : `, not ${version}`}. Install it there (brew install pgvector, ` +
        "or make install in its source), or let the tests find Debian's PostgreSQL.",
    );
  }
  const { stdout } = await run(join(bin, "postgres"), ["--version"]);
  // From "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)": packages of one minor version differ too.
  const server = stdout.match(/[\w.+~-]+/g) ?? [];
  const built = join(cacheFolder(), [...server.slice(1), "pgvector", release].join("-"));
  if (!existsSync(built)) {
    await build(major, built).catch((error) => {
      throw new Error(`pgvector could not be built for the tests: ${reason(error)}`, { cause: error });
    });
  }
  return join(built, bin);
}

/** The folder itself, of a server that cannot create the extension. */
export async function withoutPgvector(bin: string): Promise<string> {
  if ((await ownVersion(bin)) === undefined) return bin;
  throw new Error(`A test needs a PostgreSQL without pgvector, and the one of ${bin} has it.`);
}

/** The version of pgvector that was installed into a server, such as `0.8.0`. */
async function ownVersion(bin: string): Promise<string | undefined> {
  // Some distributions have pg_config, like pgvector, in a package apart.
  const share = await run(join(bin, "pg_config"), ["--sharedir"]).catch(() => undefined);
  const control = share && join(share.stdout.trim(), "extension/vector.control");
  if (control === undefined || !existsSync(control)) return undefined;
  return /^default_version\s*=\s*'(.*)'/m.exec(await readFile(control, "utf8"))?.[1];
}

/** Not within node_modules as root: the server then runs as a user that need not see into the repository. */
function cacheFolder(): string {
  if (process.getuid?.() === 0) return "/var/cache/flux-memory";
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "flux-memory");
}

async function build(major: string, built: string): Promise<void> {
  console.info(`Building pgvector for PostgreSQL ${major}, once for this machine`);
  await ensureCompiler();
  await mkdir(dirname(built), { recursive: true });
  const work = await mkdtemp(`${built}.`);
  try {
    const tree = join(work, "tree");
    const [source] = await Promise.all([fetchSource(work), mirrorServer(major, tree)]);
    const headers = join(work, "headers");
    await mkdir(headers);
    await download(`postgresql-server-dev-${major}`, headers);
    await run("sh", ["-c", 'dpkg-deb -x "$1"/*.deb "$2"', "sh", headers, tree]);

    // Portable code (no OPTFLAGS): the folder may be the cache of machines with other processors.
    const config = join(tree, debianServers, major, "bin/pg_config");
    const make = ["-C", source, "OPTFLAGS=", "with_llvm=no", `PG_CONFIG=${config}`];
    await run("make", ["-j2", ...make], { maxBuffer: 2 ** 26 });
    await run("make", ["install", ...make], { maxBuffer: 2 ** 26 });

    await run("chmod", ["-R", "a+rX", tree]);
    await run("chmod", ["a+rx", dirname(built)]);
    await rename(tree, built).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster, with the same result.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function ensureCompiler(): Promise<void> {
  const needed = { gcc: "/usr/bin/gcc", make: "/usr/bin/make", "libc6-dev": "/usr/include/stdlib.h" };
  const missing = Object.entries(needed).flatMap(([name, path]) => (existsSync(path) ? [] : [name]));
  if (missing.length === 0) return;
  if (!canInstall()) throw new Error(`it needs Debian's packages ${missing.join(", ")}`);
  await install(...missing);
}

/** Downloads and unpacks pgvector's source with lists of its own: the machine's own sources and lists stay as they are. */
async function fetchSource(work: string): Promise<string> {
  // The ending .list is that of Debian's cloud images, which name a file of mirrors.
  const [, mirror] =
    /'(\S+\/debian(?:\.list)?)\/dists\//.exec(await aptGet(["--print-uris", "update"])) ?? [];
  if (mirror === undefined) throw new Error("apt knows no mirror of Debian");
  const apt = join(work, "apt");
  await mkdir(join(apt, "lists/partial"), { recursive: true });
  const list = join(apt, "sources.list");
  const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
  await writeFile(list, `deb-src [signed-by=${keys}] ${mirror} ${release} main\n`);
  const settings = {
    "Dir::Etc::SourceList": list,
    "Dir::Etc::SourceParts": "/dev/null",
    "Dir::State::Lists": join(apt, "lists"),
    "Dir::Cache": apt,
    // Else a mirror that cannot be reached is a mere warning.
    "APT::Update::Error-Mode": "any",
  };
  const own = Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  await aptGet([...own, "update"]);
  await aptGet([...own, "source", "--download-only", "pgvector"], apt);
  const source = join(work, "source");
  await mkdir(source);
  const unpack = 'tar -xf "$1"/pgvector_*.orig.tar.gz -C "$2" --strip-components=1';
  await run("sh", ["-c", unpack, "sh", apt, source]);
  return source;
}

async function mirrorServer(major: string, tree: string): Promise<void> {
  const server = join(debianServers, major);
  const shared = join("/usr/share/postgresql", major);
  for (const path of [server, shared]) await mkdir(join(tree, path), { recursive: true });
  await run("cp", ["-r", join(server, "bin"), join(tree, server)]);
  await run("cp", ["-rs", join(server, "lib"), join(tree, server)]);
  await run("cp", ["-rs", `${shared}/.`, join(tree, shared)]);
}

function reason(error: unknown): string {
  const { message, stderr } = error as Error & { stderr?: string };
  return stderr ? stderr.trim().slice(-2000) : message;
}
