/** The commands that work on what is stored, each in a process of its own, beside a daemon and without one. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FluxCli } from "../../test/support/flux-cli.ts";
import { Flux } from "../flux/flux.ts";
import { FluxStore } from "../service/flux-store.ts";

const flux = new FluxCli();
const folder = mkdtempSync(join(tmpdir(), "flux-data-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function found(name: string, query: string, ...args: readonly string[]): Promise<string[]> {
  const { grains } = await flux.json<{ grains: { content: string }[] }>(
    "search",
    query,
    "--name",
    name,
    ...args,
  );
  return grains.map(({ content }) => content);
}

describe("store and search", () => {
  beforeAll(() => void flux.make("notes"));

  test("what is stored is found, with where it is from and why it was found", async () => {
    const stored = await flux.run(
      ...[
        "store",
        "I moved to Porto.",
        "--name",
        "notes",
        "--author",
        "Ann",
        "--at",
        "2026-03-14T09:30+01:00",
      ],
    );
    expect(stored).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^stored \S+\n$/) });
    const { code, stdout } = await flux.run("search", "moved to Porto", "--name", "notes");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^confidence 0\.\d\d\n\n1\. I moved to Porto\.\n {3}2026-03-14 08:30, Ann\n {3}found by .*words of the question.*; score \d+\.\d\d\n/,
    );
    expect(
      (await flux.run("store", "i moved to porto", "--name", "notes", "--author", "Ann")).stdout,
    ).toMatch(/^known already/);
  });

  test("standard input is stored, without the line feed at its end", async () => {
    for (const [input, ...more] of [["two\nlines\n"], ["and -\n", "-"]] as const)
      expect(await flux.runWith(input, "store", ...more, "--name", "notes")).toMatchObject({ code: 0 });
    expect((await found("notes", "two lines")).at(0)).toBe("two\nlines");
  });

  test("users do not see each other's memories, and a session can be asked for", async () => {
    await flux.json("store", "Bob likes tea", "--name", "notes", "--user", "bob", "--session", "s1");
    expect(await found("notes", "tea")).not.toContain("Bob likes tea");
    expect(await found("notes", "tea", "--user", "bob", "--session", "s1")).toEqual(["Bob likes tea"]);
    expect(await found("notes", "tea", "--user", "bob", "--session", "s2")).toEqual([]);
    expect((await flux.run("search", "tea", "--name", "notes", "--user", "nobody")).stdout).toBe(
      "Nothing was found.\n",
    );
  });

  test("what a text would do to a terminal is not done", async () => {
    await flux.json(
      "store",
      "red \u001b[31m alert\u0007\u202e",
      "--name",
      "notes",
      "--author",
      "A\u001b]0;x",
    );
    const { stdout } = await flux.run("search", "red alert", "--name", "notes");
    expect(stdout).toContain("red \ufffd[31m alert");
    for (const character of ["\u001b", "\u0007", "\u202e"]) expect(stdout).not.toContain(character);
    expect((await found("notes", "red alert"))[0]).toBe("red \u001b[31m alert\u0007\u202e");
  });

  test.each([
    [["search", "x", "--limit", "0"], 2],
    [["search"], 2],
    [["store", "x", "--at", "yesterday"], 2],
    [["store", "x", "--provenance", "rumour"], 2],
    [["store", ""], 2],
    [["store", "x", "--user", ""], 2],
    [["import"], 2],
    [["import", "nowhere.txt"], 2],
    [["import", "."], 2],
    [["import", "x", "--format", "docx"], 2],
    [["erase"], 2],
    [["erase", "--all", "--id", "x", "--yes"], 2],
    [["erase", "--text", "x", "--from", "2026-01-01", "--yes"], 2],
    [["erase", "--all"], 2],
    [["erase", "--id", "x", "--yes"], 1],
    [["reembed", "--embedder", "no-such"], 2],
  ])("%j ends with %i and says why", async (args, code) => {
    const ended = await flux.run(...args, "--name", "notes");
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toMatch(/^error \[\w+\]: /);
  });
});

describe("import, export and erase", () => {
  const conversations = (messages: number): string =>
    JSON.stringify([
      {
        ...{ uuid: "u1", name: "Plans", created_at: "2025-03-01T10:00:00Z" },
        chat_messages: Array.from({ length: messages }, (_, i) => ({
          ...{ uuid: `m${i}`, sender: i % 2 ? "assistant" : "human", text: `Plan number ${i}` },
          created_at: `2025-03-01T10:${String(i).padStart(2, "0")}:00Z`,
        })),
      },
    ]);

  test("files of several formats are imported beside a running daemon, once, and what grew goes on", async () => {
    const name = flux.make("imported");
    const { url } = await flux.json<{ url: string }>("start", "--name", name);
    const files = [
      file("conversations.json", conversations(10)),
      file("notes.md", "---\ndate: 2025-03-09\n---\n# Food\nWe ate pasta.\n"),
      file(
        "memory.json",
        '{"type":"entity","name":"Bob","entityType":"person","observations":["Likes tea"]}\nbroken\n',
      ),
      file("log.txt", Uint8Array.of(0x63, 0x61, 0x66, 0xe9)),
    ];
    const first = await flux.run("import", ...files, "--name", name);
    expect(first.stdout.split("\n").map((line) => line.replace(folder, ""))).toEqual([
      "/conversations.json (claude): 10 stored",
      "/notes.md (markdown): 1 stored",
      "/memory.json (server-memory): 1 stored, 1 problem",
      "/log.txt (text): 1 stored, 1 problem",
      "",
    ]);
    expect(first.stderr).toContain("memory.json: line 2: is no JSON");
    expect(first.stderr).toContain("bytes that are not UTF-8");
    file("conversations.json", conversations(14));
    const again = await flux.json<{ files: unknown[] }>("import", ...files, "--name", name);
    expect(again.files).toMatchObject([
      { stored: 4, known: 10 },
      { stored: 0, known: 1 },
      { stored: 0, known: 1, problems: 1 },
      { stored: 0, known: 1 },
    ]);
    // The daemon sees it.
    const page = (await (await fetch(`${url}/grains?session_id=claude:u1&order=oldest`)).json()) as {
      readonly grains: readonly { readonly content: string; readonly said_at: number }[];
    };
    expect(page.grains.map(({ content }) => content)).toEqual(
      Array.from({ length: 14 }, (_, i) => `Plan number ${i}`),
    );
    expect(page.grains[1]?.said_at).toBe(Date.UTC(2025, 2, 1, 10, 1));
  });

  test("an export is imported as it was, and can be read", async () => {
    const [from, to] = [flux.make("from"), flux.make("to")];
    await flux.json("import", file("conversations.json", conversations(3)), "--name", from, "--user", "ann");
    await flux.json("store", "# Not a heading\n> nor a quotation", "--name", from, "--user", "ann");
    const path = join(folder, "ann.jsonl");
    expect(await flux.run("export", "--name", from, "--user", "ann", "--output", path)).toMatchObject({
      code: 0,
      stdout: "",
    });
    expect(statSync(path).mode & 0o077).toBe(0);
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).type)).toEqual([
      "flux-memory",
      "record",
      "record",
      "record",
      "record",
    ]);
    const { stdout } = await flux.run("export", "--name", from, "--user", "ann");
    expect(stdout.split("\n").slice(1)).toEqual(`${lines.join("\n")}\n`.split("\n").slice(1));
    for (const stored of [4, 0])
      expect(
        (await flux.json<{ files: unknown[] }>("import", path, "--name", to, "--user", "ann")).files,
      ).toMatchObject([{ format: "export", stored }]);
    expect(await found(to, "plan number", "--user", "ann", "--session", "claude:u1")).toHaveLength(3);
    const markdown = await flux.run("export", "--name", to, "--user", "ann", "--format", "markdown");
    expect(markdown.stdout).toContain(
      "\n## claude:u1\n\nuser, 2025-03-01T10:00:00.000Z:\n\n> Plan number 0\n",
    );
    expect(markdown.stdout).toContain("\n> # Not a heading\n> > nor a quotation\n");
    const nowhere = await flux.run("export", "--name", to, "--output", join(folder, "gone", "export.jsonl"));
    expect(nowhere).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error \[unavailable\]: ENOENT/),
    });
  });

  test("what is erased is gone, comes back by no import, and by --again", async () => {
    const name = flux.make("erased");
    const path = file("conversations.json", conversations(4));
    await flux.json("import", path, "--name", name);
    const { record_id: id } = await flux.json<{ record_id: string }>("store", "Keep this", "--name", name);
    const receipt = await flux.json("erase", "--session", "claude:u1", "--yes", "--name", name);
    expect(receipt).toMatchObject({
      id: expect.any(String),
      state: expect.stringMatching(/erased$/),
      counts: { message: 4 },
    });
    expect(await found(name, "plan number")).toEqual([]);
    expect((await flux.json<{ files: unknown[] }>("import", path, "--name", name)).files).toMatchObject([
      { stored: 0, erased: 4 },
    ]);
    expect(
      (await flux.json<{ files: unknown[] }>("import", path, "--name", name, "--again")).files,
    ).toMatchObject([{ stored: 4 }]);
    expect(await flux.run("erase", "--id", id, "--yes", "--name", name)).toMatchObject({ code: 0 });
    await flux.json("store", "Old words", "--at", "2020-05-06", "--name", name);
    const timed = await flux.json("erase", "--until", "2020-05-07", "--yes", "--name", name);
    expect(timed).toMatchObject({ counts: { text: 1 } });
    expect(await flux.run("erase", "--all", "--yes", "--name", name)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^erased 4 messages/),
    });
  });

  test("an import that is interrupted ends with 130, and goes on", async () => {
    const name = flux.make("interrupted");
    const lines = Array.from({ length: 60 }, (_, i) =>
      JSON.stringify({ role: "user", content: `line ${i}`, session_id: "s" }),
    );
    await flux.json("store", "There is a memory", "--name", name);
    await using store = new FluxStore(flux.instance(name).databaseFile);
    await using opened = await Flux.open(store.ledger);
    const changes = opened.for({ userId: null }).events();
    const { process: child, ended } = flux.spawn("import", "-", "--name", name);
    // Its input does not end, so that it cannot be done.
    child.stdin.write(`${lines.slice(0, 40).join("\n")}\n${" ".repeat(100_000)}`);
    for await (const { kind } of changes) if (kind === "message") break;
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130 });
    const path = file("lines.jsonl", lines.join("\n"));
    const { files } = await flux.json<{ files: { stored: number; known: number }[] }>(
      "import",
      path,
      "--name",
      name,
    );
    const [{ stored = 0, known = 0 } = {}] = files;
    expect(known).toBeGreaterThan(0);
    expect(stored + known).toBe(60);
  });
});

test("reembed changes the embedder beside a running daemon", async () => {
  const name = flux.make("embedded");
  await flux.json("store", "Bob likes tea", "--name", name);
  const { url } = await flux.json<{ url: string }>("start", "--name", name);
  expect(await flux.json("reembed", "--embedder", "static", "--name", name)).toEqual({
    embedder: expect.stringMatching(/^static/),
  });
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ query: "drinks" });
  const answer = (await (await fetch(`${url}/retrieve`, { method: "POST", headers, body })).json()) as {
    readonly degraded: unknown;
    readonly grains: readonly { readonly content: string }[];
  };
  expect(answer).toMatchObject({ degraded: [], grains: [{ content: "Bob likes tea" }] });
});

test("a relative STORE begins at the folder of the instance, for the daemon and for commands", async () => {
  flux.make("elsewhere", "STORE: data/notes.db\n");
  const { folder } = flux.instance("elsewhere");
  await flux.json("store", "The ferry leaves at nine", "--name", "elsewhere");
  expect(statSync(join(folder, "data/notes.db")).isFile()).toBe(true);
  const { url } = await flux.json<{ url: string }>("start", "--name", "elsewhere");
  const { grains } = (await (await fetch(`${url}/grains`)).json()) as { grains: object[] };
  expect(grains).toMatchObject([{ content: "The ferry leaves at nine" }]);
  const { findings } = await flux.json<{ findings: object[] }>("doctor", "--name", "elsewhere");
  expect(findings).toContainEqual({
    check: "database",
    result: "ok",
    detail: expect.stringMatching(/intact/),
  });
});

test.each(["inmemory", "sqlite", "sqlite::memory:"])(
  "commands leave a memory alone that would end with them: STORE: %s",
  async (place) => {
    flux.make("fleeting", `STORE: "${place}"\n`);
    const { code, stderr } = await flux.run("store", "x", "--name", "fleeting");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/in the process of its daemon/)]);
  },
);
