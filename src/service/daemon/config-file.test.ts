import { expect, test } from "vitest";
import { Config } from "../config.ts";
import { configYaml } from "../config-yaml.ts";
import { parseConfig } from "./config-file.ts";

const failure = (text: string) => {
  try {
    parseConfig(text);
    return undefined;
  } catch (error) {
    const { code, message, hint } = error as { code: string; message: string; hint?: string };
    return { code, message, hint };
  }
};

test("reads values, and has defaults for the rest", () => {
  const config = parseConfig("# mine\nOPERATING_MODE: caller_extracts\nREST_PORT: 0\n");
  expect(config).toMatchObject({ OPERATING_MODE: "caller_extracts", REST_PORT: 0, READ_WORKERS: 3 });
});

test.each(["", "# nothing\n", "---\n", "{}"])("a file without keys has the defaults: %j", (text) => {
  expect(parseConfig(text)).toMatchObject({ REST_PORT: 7465 });
});

test("a key without a value has its default, and must be a key all the same", () => {
  expect(parseConfig("STORE:\nREST_PORT: null\nEMBEDDER: ~\n")).toEqual(new Config());
  expect(failure("STOR:\n")).toMatchObject({ code: "config_unknown_key" });
});

test("every line of the commented file can be uncommented", () => {
  const text = configYaml().replace(/^# ([A-Z_]+:.*)$/gm, "$1");
  expect(text).toMatch(/^STORE:$/m);
  expect(parseConfig(text)).toEqual(new Config());
});

test.each([
  ["REST_PORT: 1\n  TOP_K: 2\n", "line 1, column 12"],
  ['TOP_K: 1\nLLM_MODEL: "open\n', "line 3, column 1"],
  ["TOP_K: 1\nTOP_K: 2\n", "line 2, column 1"],
  ["TOP_K: !!js/function 'x'\n", "line 1, column 8"],
])("says where %j is no YAML", (text, place) => {
  expect(failure(text)).toMatchObject({ code: "config_invalid", message: expect.stringContaining(place) });
});

test("names the line of a key that is not known, and the key that was meant", () => {
  expect(failure("TOP_K: 3\n\nREAD_WORKER: 3\n")).toMatchObject({
    code: "config_unknown_key",
    message: expect.stringContaining("line 3"),
    hint: expect.stringContaining("READ_WORKERS"),
  });
});

test("names the line of a value that is not valid, and does not repeat it", () => {
  const found = failure('TOP_K: 3\nREST_HOST: "0.0.0.0"\n');
  expect(found).toMatchObject({ code: "config_invalid", message: expect.stringContaining("line 2") });
  expect(JSON.stringify(found)).not.toContain("0.0.0.0");
});

test.each(["- a\n- b\n", "just text", "42", "\u0000", "🙂: 1\n", "__proto__: {}\n", "? [a]\n: 1\n"])(
  "refuses %j",
  (text) => {
    expect(failure(text)?.code).toMatch(/^config_/);
  },
);

test("refuses aliases that would unfold without end", () => {
  const levels = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`);
  expect(failure(`a0: &a0 [x, x]\n${levels.join("\n")}\n`)?.code).toMatch(/^config_/);
});
