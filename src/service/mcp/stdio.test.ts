/** The MCP server as clients start it: a process each, before a daemon of its own. */
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FluxCli, type Running } from "../../../test/support/flux-cli.ts";
import { hostileTexts } from "../../../test/support/hostile-texts.ts";
import { McpProcess } from "../../../test/support/mcp-process.ts";
import { findDaemon } from "../daemon/find-daemon.ts";

const flux = new FluxCli();

test.each(["legacy", "auto"] as const)(
  "a client of protocol mode %s finds the tools and works with them",
  async (mode) => {
    await using mcp = await McpProcess.start(flux, flux.make(mode), { mode });
    expect(mcp.client.getNegotiatedProtocolVersion()).toBe(mode === "auto" ? "2026-07-28" : "2025-11-25");
    const { tools } = await mcp.client.listTools();
    expect(tools).toHaveLength(7);
    const who = { client: "codex", role: "chat" };
    expect((await mcp.call("flux_onboard")).data.operating_mode).toBe("caller_extracts");
    await mcp.call("flux_store", { content: "Alice is allergic to nuts", provenance: "user_stated", ...who });
    const { data: found } = await mcp.call("flux_retrieve", { query: "nuts", ...who });
    expect(found.grains).toMatchObject([{ content: "Alice is allergic to nuts" }]);
    await mcp.call("flux_store", { content: "Alice moved to Berlin", provenance: "user_stated", ...who });
    for (const { id } of found.grains) {
      const rated = await mcp.call("flux_feedback", {
        trace_id: found.trace_id,
        grain_id: id,
        useful: true,
        ...who,
      });
      expect(rated.data.status).toBe("recorded");
    }
    expect((await mcp.call("flux_list_grains", { status: "quarantined" })).data.count).toBe(0);
    expect((await mcp.call("flux_health")).data).toMatchObject({
      status: "healthy",
      memory: { pending_feedback: 0 },
    });
  },
);

test("several clients at once start one daemon, and lose nothing", async () => {
  const name = flux.make("several");
  const clients = await Promise.all(
    [1, 2, 3, 4].map((n) => McpProcess.start(flux, name, { client: `agent-${n}` })),
  );
  const texts = clients.map((_, n) =>
    Array.from({ length: 50 }, (_, i) => `Agent ${n} knows fact number ${i}`),
  );
  const answers = await Promise.all(
    clients.flatMap((mcp, n) => (texts[n] ?? []).map((content) => mcp.call("flux_store", { content }))),
  );
  expect(answers.filter(({ isError }) => isError)).toEqual([]);
  const listed: string[] = [];
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const { data } = await (clients[0] as McpProcess).call("flux_list_grains", {
      limit: 200,
      ...(after ? { after } : {}),
    });
    listed.push(...data.grains.map((grain: { content: string }) => grain.content));
    after = data.cursor;
  }
  expect(listed.sort()).toEqual(texts.flat().sort());
  const started = clients.filter(({ log }) => log.includes("daemon started"));
  expect(started.length).toBeLessThanOrEqual(1);
  await Promise.all(clients.map((mcp) => mcp.close()));
  // The daemon outlives its clients.
  expect((await findDaemon(flux.instance(name))).state).toBe("running");
});

test("a daemon that was killed or stopped between calls is started again, and nothing is lost or doubled", async () => {
  const name = flux.make("lost");
  await using mcp = await McpProcess.start(flux, name);
  await mcp.call("flux_store", { content: "before" });
  process.kill(flux.record(name).pid, "SIGKILL");
  // Several at once, which find out together.
  const stored = await Promise.all(
    ["one", "two", "three"].map((content) => mcp.call("flux_store", { content, operation_id: content })),
  );
  expect(stored.map(({ isError }) => isError)).toEqual([false, false, false]);
  await flux.run("stop", "--name", name);
  const { data } = await mcp.call("flux_list_grains");
  expect(data.grains.map((grain: { content: string }) => grain.content).sort()).toEqual([
    "before",
    "one",
    "three",
    "two",
  ]);
});

test("hostile and long texts pass through the pipes as they are", async () => {
  await using mcp = await McpProcess.start(flux, flux.make("hostile"));
  const texts = [...hostileTexts, "a\u2028b\r\nc\t\u0007", "\\n{}\u0000", "字".repeat(300_000)];
  for (const content of texts.filter((text) => text.trim() !== "")) {
    const { data, text } = await mcp.call("flux_store", {
      ...{ content, message_role: "user", session_id: "s" },
    });
    expect([content.slice(0, 20), text.slice(0, 6), data.status]).toEqual([
      content.slice(0, 20),
      "Stored",
      "stored",
    ]);
  }
  const tooLong = await mcp.call("flux_store", { content: "x".repeat(2_000_000) });
  expect(tooLong).toMatchObject({ isError: true, data: { error: { code: "invalid_argument" } } });
  expect((await mcp.call("flux_store", { content: "still here" })).isError).toBe(false);
});

test("an instance that is not there is told on standard error", async () => {
  const { code, stdout, stderr } = await flux.run("mcp", "--name", "nowhere");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("error [instance_not_found]");
});

test("a daemon that cannot start makes calls fail, which say why", async () => {
  const name = flux.make("broken");
  await using mcp = await McpProcess.start(flux, name);
  await mcp.call("flux_health");
  await flux.run("stop", "--name", name);
  writeFileSync(flux.instance(name).configFile, "READ_WORKER: 3\n");
  const { isError, data } = await mcp.call("flux_store", { content: "x" });
  expect([isError, data.error.code]).toEqual([true, "config_unknown_key"]);
});

/** The server without a client, whose pipes the test has. */
function bare(name: string) {
  const { process: child, ended, says } = flux.spawn("mcp", "--name", name);
  return {
    ...{ child, ended },
    initialize: async () => {
      const params = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "bare", version: "1" },
      };
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
      await says('"id":1');
    },
  };
}

test.each([
  ["its input ends", "input", ({ stdin }: Running["process"]) => stdin.end()],
  ["it gets SIGTERM", "sigterm", (child: Running["process"]) => child.kill("SIGTERM")],
])("the server ends when %s, and wrote only JSON-RPC", async (_, name, end) => {
  const server = bare(flux.make(name));
  await server.initialize();
  end(server.child);
  const { code, stdout } = await server.ended;
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
});

test("what is no JSON-RPC is passed over, and a message without end ends the server", async () => {
  const server = bare(flux.make("noise"));
  server.child.stdin.write("hello\n{}\n[1]\n\n\0\n");
  await server.initialize();
  // It reads no further than that.
  server.child.stdin.on("error", () => undefined);
  server.child.stdin.write("x".repeat(12_000_000));
  expect((await server.ended).code).toBe(0);
});
