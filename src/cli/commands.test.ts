/** What the commands print, write and refuse, without a daemon. */
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FluxCli } from "../../test/support/flux-cli.ts";

const flux = new FluxCli();

describe("init", () => {
  test("makes a configuration with comments and snippets, which nobody else can read", async () => {
    const { code, stdout } = await flux.run("init", "--name", "first", "--mode", "caller_extracts");
    const { configFile, integrationsFolder } = flux.instance("first");
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`made ${configFile}`),
    });
    expect(readFileSync(configFile, "utf8")).toMatch(/^OPERATING_MODE: "caller_extracts"$/m);
    expect(readFileSync(configFile, "utf8")).toMatch(/^# REST_PORT: 7465$/m);
    expect(readdirSync(integrationsFolder).sort()).toEqual([
      ...["claude_code.json", "claude_desktop.json", "codex.toml", "cursor.json", "vscode.json"],
    ]);
    if (process.platform === "win32") return;
    expect(statSync(integrationsFolder).mode & 0o777).toBe(0o700);
    expect(statSync(configFile).mode & 0o777).toBe(0o600);
  });

  test("keeps what is there, and says so", async () => {
    await flux.json("init", "--name", "twice", "--mode", "caller_extracts");
    const { configFile, integrationsFolder } = flux.instance("twice");
    writeFileSync(configFile, "# mine\nOPERATING_MODE: caller_extracts\n");
    rmSync(join(integrationsFolder, "codex.toml"));
    expect(await flux.json("init", "--name", "twice", "--mode", "flux_extracts")).toMatchObject({
      mode: "caller_extracts",
      created: [join(integrationsFolder, "codex.toml")],
      kept: expect.arrayContaining([configFile]),
    });
    expect(readFileSync(configFile, "utf8")).toBe("# mine\nOPERATING_MODE: caller_extracts\n");
  });

  test("without a terminal nobody is asked for the mode", async () => {
    const { code, stdout } = await flux.run("init", "--name", "unasked");
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("mode: flux_extracts"),
    });
  });

  test.each(["../up", "a/b", "", "-x", "ü", "a.b"])("%j is no name, and makes nothing", async (name) => {
    expect(await flux.run("init", `--name=${name}`)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("error [invalid_argument]"),
    });
  });
});

describe("mcp-config", () => {
  test("prints a snippet for each client, and writes them anew", async () => {
    await flux.json("init", "--name", "my-memory");
    const { integrationsFolder } = flux.instance("my-memory");
    writeFileSync(join(integrationsFolder, "codex.toml"), "old");
    const { server, snippets } = await flux.json<{
      server: string;
      snippets: { client: string; text: string }[];
    }>("mcp-config", "--name", "my-memory");
    expect(server).toBe("flux-my-memory");
    expect(snippets.map(({ client }) => client)).toEqual([
      "claude-desktop",
      "claude-code",
      "cursor",
      "codex",
      "vscode",
    ]);
    expect(readFileSync(join(integrationsFolder, "codex.toml"), "utf8")).toBe(snippets[3]?.text);
  });

  test("prints the snippet of one client", async () => {
    await flux.json("init", "--name", "my-memory");
    const { code, stdout } = await flux.run("mcp-config", "--name", "my-memory", "--client", "codex");
    expect(code).toBe(0);
    expect(stdout).toContain('[mcp_servers."flux-my-memory"]\ncommand = "npx"\n');
    expect(stdout).not.toContain("mcpServers");
    expect((await flux.run("mcp-config", "--name", "my-memory", "--client", "other")).code).toBe(2);
  });
});

describe("doctor", () => {
  test("says what is well, what could be better and what to do", async () => {
    await flux.json("init", "--name", "well", "--mode", "caller_extracts");
    const { folder, integrationsFolder } = flux.instance("well");
    expect(await flux.json("doctor", "--name", "well")).toMatchObject({ healthy: true });
    rmSync(integrationsFolder, { recursive: true });
    if (process.platform !== "win32") chmodSync(folder, 0o755);
    const { code, stdout } = await flux.run("doctor", "--name", "well");
    expect(code).toBe(0);
    expect(stdout).toContain("! snippets");
    expect(stdout).toContain("✓ embedder");
    if (process.platform !== "win32") expect(stdout).toContain(`chmod -R go= "${folder}"`);
  });

  test("fails for a configuration that cannot be read", async () => {
    await flux.json("init", "--name", "ill");
    writeFileSync(flux.instance("ill").configFile, "TOP_K: [\n");
    const { code, stdout } = await flux.run("doctor", "--name", "ill");
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining("✗ config") });
  });
});

describe("every command", () => {
  const commands = ["start", "stop", "status", "doctor", "mcp-config"];

  test.each(commands)("%s of an instance that is not there says how to make one", async (command) => {
    const { code, stdout, stderr } = await flux.run(command, "--name", "nowhere", "--json");
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("flux init --name nowhere"),
    });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "instance_not_found" } });
    expect(stderr).not.toContain("    at ");
  });
});

describe("the command line", () => {
  test("--help and --version are printed", async () => {
    const help = await flux.run("--help");
    expect(help).toMatchObject({ code: 0, stderr: "" });
    for (const command of ["init", "start", "stop", "status", "doctor", "mcp-config"])
      expect(help.stdout).toContain(`  ${command} `);
    expect(await flux.run("--version")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  test("without a command the help is printed, and it is no success", async () => {
    expect(await flux.run()).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("Usage: flux"),
    });
  });

  test.each([
    [["strat"], "start"],
    [["start", "--nmae", "x"], "--name"],
    [["start", "--port", "http"], "65535"],
    [["start", "--port", "65536"], "65535"],
    [["start", "extra"], "too many arguments"],
    [["init", "--mode", "none"], "caller_extracts"],
    // Of parts that this version does not have.
    [["start", "--broadcast"], "unknown option"],
    [["admin"], "unknown command"],
  ])("%j is refused with what was probably meant", async (args, told) => {
    const { code, stdout, stderr } = await flux.run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error \[usage\]: /);
    expect(stderr).toContain(told);
  });

  test("nothing is coloured where nobody looks", async () => {
    for (const args of [["--help"], ["doctor", "--name", "nowhere"], ["strat"]]) {
      const { stdout, stderr } = await flux.run(...args);
      expect(stdout + stderr).not.toContain("\u001b");
    }
  });
});
