/** What a user gets: the package as npm packs it, installed into an empty project without development dependencies. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { createContext, Script } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { Reader, readmeBlocks } from "./readme.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const entries = Object.keys(manifest.exports).map((path) => path.replace(/^\./, manifest.name));

let user: string;

beforeAll(async () => {
  user = await mkdtemp(join(tmpdir(), "flux-package-"));
  const { stdout: tarball } = await run("npm", ["pack", "--silent", "--pack-destination", user], {
    cwd: root,
  });
  await writeFile(join(user, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const quietly = ["--omit=dev", "--prefer-offline", "--no-audit", "--no-fund"];
  await run("npm", ["install", "--prefix", user, ...quietly, `./${tarball.trim()}`], { cwd: user });
});

afterAll(() => rm(user, { recursive: true }));

test("every entry loads without optional peers and exports the names in exports.txt", async () => {
  const program = `
    for (const entry of ${JSON.stringify(entries)}) {
      const options = entry.endsWith(".json") ? { with: { type: "json" } } : {};
      for (const name of Object.keys(await import(entry, options)).sort()) console.log(entry, name);
    }`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { cwd: user });
  await expect(stdout).toMatchFileSnapshot("exports.txt");
});

test("without gpt-tokenizer, tokens are estimated", async () => {
  const program = `
    const { loadTokenCounter } = await import("flux-memory/text");
    const { id, exact } = await loadTokenCounter();
    console.log(id, exact);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { cwd: user });
  expect(stdout).toBe("estimate false\n");
});

test("npx flux-memory starts a daemon and ends it", async () => {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, FLUX_HOME: join(user, "flux home") };
  const flux = (...args: string[]) =>
    run("npx", ["--no-install", "flux-memory", ...args, "--name", "packed", "--json"], { cwd: user, env });
  await flux("init", "--mode", "caller_extracts");
  await writeFile(join(env.FLUX_HOME, "packed/config.yaml"), "REST_PORT: 0\n");
  const { url } = JSON.parse((await flux("start")).stdout);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect(JSON.parse((await flux("stop")).stdout)).toMatchObject({ stopped: true });
});

test("on an older Node the program says what is needed, or runs on the package node", async () => {
  const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.0.0" } })`;
  const pretend = ["--import", `data:text/javascript,${encodeURIComponent(older)}`];
  const bin = join(user, "node_modules/flux-memory", manifest.bin.flux);
  const version = () => run(process.execPath, [...pretend, bin, "--version"], { cwd: user });
  await expect(version()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("outdated_node"),
  });
  const installed = join(user, "node_modules/node");
  await symlink(join(root, "node_modules/node"), installed, "junction");
  expect((await version()).stdout).toBe(`${manifest.version}\n`);
  await unlink(installed);
});

test("the types of every entry stand on their own", async () => {
  const imports = entries.filter((entry) => !entry.endsWith(".json"));
  const lines = imports.map(
    (entry, index) => `import * as entry${index} from "${entry}";\nvoid entry${index};`,
  );
  await writeFile(join(user, "user.ts"), lines.join("\n"));
  const options = { target: "es2024", lib: "es2024,esnext.disposable,dom", module: "nodenext", types: "" };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const tsc = join(root, "node_modules/.bin/tsc");
  const result = run(tsc, ["--noEmit", "--strict", "--skipLibCheck", "false", ...flags, "user.ts"], {
    cwd: user,
  });
  // The compiler's report is in stdout, which the message of a failed execFile does not show.
  expect(
    await result.then(
      () => "",
      ({ stdout }) => stdout,
    ),
  ).toBe("");
});

// Entry, gzipped kB, packages. `import { z } from "zod"` alone takes 93 kB, all languages included; `import * as z` 26.
test.each<[string, number, string[]]>([
  ["flux-memory", 76, ["@noble/hashes", "flux-memory", "zod"]],
  ["flux-memory/text", 48, ["chrono-node", "flux-memory", "stemmer"]],
  ["flux-memory/embed", 20, ["@noble/hashes", "flux-memory"]],
  ["flux-memory/client", 10, ["@noble/hashes", "flux-memory"]],
])("%s runs in a browser, its dynamic imports left out, in %d kB", async (entry, budget, needed) => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: user,
    stdin: { contents: `export * from "${entry}"`, resolveDir: user },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    // Fails on an import of a Node built-in.
    platform: "browser",
    logLevel: "silent",
    format: "iife",
    globalName: "bundle",
    plugins: [
      {
        name: "leave out dynamic imports",
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ kind }) =>
            kind === "dynamic-import" ? { external: true } : undefined,
          ),
      },
    ],
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const inputs = Object.keys(metafile.inputs).filter((path) => path.startsWith("node_modules/"));
  const packages = new Set(inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]));
  expect([...packages].sort()).toEqual(needed);

  // What browsers and Node have in common, and nothing of what Node alone has.
  const { TextEncoder, TextDecoder, URL, AbortController, AbortSignal, Event, EventTarget } = globalThis;
  const { crypto, performance, setTimeout, clearTimeout, queueMicrotask, structuredClone } = globalThis;
  const context = createContext({
    ...{ TextEncoder, TextDecoder, URL, AbortController, AbortSignal, Event, EventTarget },
    ...{ crypto, performance, setTimeout, clearTimeout, queueMicrotask, structuredClone },
  });
  new Script(new TextDecoder().decode(code)).runInContext(context);
  expect(Object.keys(context.bundle)).not.toEqual([]);

  const kilobytes = gzipSync(code).length / 1000;
  console.info(`${entry} in a browser: ${kilobytes.toFixed(1)} kB minified and gzipped`);
  expect(kilobytes).toBeLessThan(budget);
});

test("an installation stays small", async () => {
  const megabytes = (await sizeOf(join(user, "node_modules"))) / 1e6;
  console.info(`Installed with dependencies: ${megabytes.toFixed(1)} MB`);
  expect(megabytes).toBeLessThan(installBudget);
});

/** MB; about 20 % above what was measured. */
const installBudget = 72;

async function sizeOf(folder: string): Promise<number> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map((entry) => stat(join(entry.parentPath, entry.name)));
  return (await Promise.all(files)).reduce((total, { size }) => total + size, 0);
}

test("what the README shows runs, from its first block to its last", async () => {
  const reader = await Reader.open(user);
  const blocks = readmeBlocks().filter(({ excuse, language }) => excuse === undefined && language !== "text");
  expect(blocks.map(({ language }) => language)).toEqual(["ts", "ts", "sh", "sh", "ts", "toml", "sh"]);
  for (const block of blocks) {
    const where = `README.md, line ${block.line}`;
    if (block.language === "toml") {
      const code = "npx flux-memory mcp-config --name notes --client codex";
      expect(await reader.run({ ...block, code }), where).toContain(block.code);
      continue;
    }
    const printed = await reader.run(block);
    expect(printed.trim(), where).not.toBe("");
    expect(printed, where).not.toMatch(/undefined|urn:flux-memory:error/);
  }
});

test("blocks of the README that are not run say why", () => {
  expect(readmeBlocks().flatMap(({ excuse }) => excuse ?? [])).toEqual([
    "the tests run what these two do, on folders of their own",
    "the package is not in a registry yet",
  ]);
});
