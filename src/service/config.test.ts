import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { hostileTexts } from "../../test/support/hostile-texts.ts";
import { FluxError } from "../model/errors.ts";
import { Config } from "./config.ts";
import { aboutOf, type ConfigKey, configKeys, defaultOf } from "./config-keys.ts";
import { configYaml } from "./config-yaml.ts";
import { laterKeys } from "./later-keys.ts";

/** What `new Config` throws; anything may be in a file. */
function refusal(options: unknown): FluxError {
  try {
    new Config(options as never);
  } catch (error) {
    if (FluxError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("It was accepted");
}

test("without options every key has its default", () => {
  expect({ ...new Config() }).toEqual({
    OPERATING_MODE: "flux_extracts",
    REST_HOST: "127.0.0.1",
    REST_PORT: 7465,
    MCP_SERVER_NAME: "flux-memory",
    TOP_K: 5,
    READ_WORKERS: 3,
    MAX_GRAINS_PER_CALL: 100,
    MAX_GRAINS_PER_MINUTE: 500,
    MAX_WRITE_QUEUE_DEPTH: 1000,
    FEEDBACK_ENFORCEMENT_ENABLED: true,
    FEEDBACK_ENFORCEMENT_GRACE_SECONDS: 60,
    FEEDBACK_ENFORCEMENT_MAX_BLOCK_SECONDS: 86_400,
    TRACE_RETENTION_DAYS: 30,
    PURGE_UNDO_WINDOW_HOURS: 24,
    HEALTH_TICK_MINUTES: 15,
    LLM_BASE_URL: "http://localhost:11434",
    LLM_MODEL: "llama3.1:8b",
    LLM_TIMEOUT_SECONDS: 30,
  });
});

test("C2: a configuration is made of the seed's names, shown by its values, and an unknown name is an error", () => {
  const config = new Config({
    OPERATING_MODE: "caller_extracts",
    MAX_GRAINS_PER_MINUTE: 500,
    READ_WORKERS: 3,
    FEEDBACK_ENFORCEMENT_GRACE_SECONDS: 60,
  });
  expect(refusal({ READ_WORKER: 3 })).toMatchObject({
    code: "config_unknown_key",
    message: "The configuration has READ_WORKER, which is not known",
    hint: "Perhaps READ_WORKERS was meant.",
  });
  expect(inspect(config)).toMatch(
    /^Config \{\n {2}OPERATING_MODE: 'caller_extracts',\n[\s\S]*READ_WORKERS: 3,/,
  );
});

test("a key that is near to none is told with the list of keys, and is not repeated unless it could be one", () => {
  expect(refusal({ COLOUR_OF_MONEY: 1 }).hint).toMatch(/^Known: OPERATING_MODE, /);
  for (const key of [...hostileTexts.filter((text) => text.length > 64), "a b", "<b>", "é", "toString()"]) {
    const { code, message } = refusal({ [key]: 1 });
    expect(code).toBe("config_unknown_key");
    expect(message).toBe("The configuration has a key, which is not known");
  }
  expect(refusal({ toString: 1 }).code).toBe("config_unknown_key");
  expect(refusal(JSON.parse('{ "__proto__": { "TOP_K": 1 } }')).code).toBe("config_unknown_key");
});

test("a value of the wrong type or out of range is refused, all of them at once and none of them repeated", () => {
  const wrong: Record<string, unknown[]> = {
    OPERATING_MODE: ["both", "", null, 1],
    STORE: ["", " a", "a\nb", "a\0b", "\ud800", null, 5],
    EMBEDDER: ["", 5],
    REST_HOST: ["0.0.0.0", "192.168.0.1", "::", "", "example.com", "127.0.0.1.example.com", "127.0.0.256", 1],
    REST_PORT: [-1, 65_536, 1.5, "7465", Number.NaN, null],
    TOP_K: [0, 101, Infinity],
    READ_WORKERS: [0, 65, "3"],
    MAX_GRAINS_PER_CALL: [0, 1001],
    FEEDBACK_ENFORCEMENT_ENABLED: ["true", 1, null],
    FEEDBACK_ENFORCEMENT_MAX_BLOCK_SECONDS: [0, 60, 59],
    LLM_BASE_URL: ["localhost:11434", "file:///etc/passwd", "", 1],
    LLM_TIMEOUT_SECONDS: [0, -1, 3601],
  };
  for (const [key, values] of Object.entries(wrong)) {
    for (const value of values) {
      const { code, message } = refusal({ [key]: value });
      expect([key, code]).toEqual([key, "config_invalid"]);
      expect(message).toContain(`${key}: `);
    }
  }
  const { message } = refusal({ TOP_K: 0, READ_WORKERS: "secret-value", REST_HOST: "my.host" });
  expect(message).toMatch(/REST_HOST: .*; TOP_K: .*; READ_WORKERS: /);
  expect(message).not.toMatch(/secret-value|my\.host/);
  for (const options of [null, 5, "TOP_K", [], new Map(), () => undefined]) {
    expect(refusal(options)).toMatchObject({ name: "FluxTypeError", code: "config_invalid" });
  }
});

test("REST listens at loopback addresses only", () => {
  for (const REST_HOST of ["127.0.0.1", "127.8.8.8", "::1", "localhost"]) {
    expect(new Config({ REST_HOST }).REST_HOST).toBe(REST_HOST);
  }
  expect(refusal({ REST_HOST: "0.0.0.0" }).hint).toBe("The service can be reached from this machine only.");
});

test("keys of parts that are not there are read at their defaults, and refused at other values", () => {
  const copied = Object.entries(laterKeys).map(([key, values]) => [key, values[0]]);
  expect({ ...new Config(Object.fromEntries(copied)) }).toEqual({ ...new Config() });
  for (const key of Object.keys(laterKeys)) {
    const { code, message, hint } = refusal({ [key]: "other" });
    expect([key, code]).toEqual([key, "config_not_available"]);
    expect(message).toContain(key);
    expect(hint).toContain("Leave it out");
    expect(configKeys).not.toHaveProperty(key);
  }
  expect(refusal({ DASHBOARD_PRT: 1 }).hint).toBe("Perhaps DASHBOARD_PORT was meant.");
});

test("a configuration cannot be changed", () => {
  const config = new Config();
  expect(() => Object.assign(config, { TOP_K: 7 })).toThrow(TypeError);
  expect(config.TOP_K).toBe(5);
});

test("what is shown has no user names, passwords and keys", () => {
  const secret = "hunter2";
  for (const STORE of [
    `postgres://ann:${secret}@localhost/memory`,
    `postgres://ann:${secret}@x@localhost/memory`,
    `postgres://localhost/memory?user=ann&password=${secret}&sslkey=${secret}`,
  ]) {
    const config = new Config({ STORE, LLM_BASE_URL: `https://${secret}:${secret}@models.example/v1` });
    expect(config.STORE).toBe(STORE);
    for (const shown of [inspect(config), JSON.stringify(config)]) {
      expect(shown).not.toContain(secret);
      expect(shown).toContain("localhost");
      expect(shown).toContain("models.example/v1");
    }
  }
});

test("the commented file has what is given, every other key as a comment with its default, and is read back as it was written", () => {
  const written = { OPERATING_MODE: "caller_extracts", MCP_SERVER_NAME: 'my "memory": #1, 日本語' } as const;
  const text = configYaml(written);
  expect(parse(text)).toEqual(written);
  for (const key of Object.keys(configKeys)) expect(text).toMatch(new RegExp(`^(# )?${key}:`, "m"));
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);

  const uncommented = text.replace(/^# ([A-Z_]+: .*)$/gm, "$1");
  expect({ ...new Config(parse(uncommented)) }).toEqual({ ...new Config(written) });
  expect(parse(configYaml())).toBeNull();
  expect(() => configYaml({ TOP_K: 0 })).toThrow(expect.objectContaining({ code: "config_invalid" }));
});

test("docs/service.md lists every key with its default and what it does", () => {
  const page = readFileSync(new URL("../../docs/service.md", import.meta.url), "utf8");
  const rows = (Object.keys(configKeys) as ConfigKey[]).map((key) => {
    const value = defaultOf(key);
    return `| \`${key}\` | ${value === undefined ? "–" : `\`${value}\``} | ${aboutOf(key)} |`;
  });
  expect(page.match(/^\| `[A-Z_]+` \|.*$/gm)).toEqual(rows);
});
