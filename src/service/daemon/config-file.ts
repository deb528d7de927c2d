import { readFileSync, statSync } from "node:fs";
import { type Document, isMap, isScalar, LineCounter, parseDocument, type Scalar } from "yaml";
import { FluxError } from "../../model/errors.ts";
import { Config } from "../config.ts";
import type { ConfigOptions } from "../config-keys.ts";
import { type Instance, instanceNotFound } from "./instance.ts";

/** Bytes; a configuration has some thousand. */
const longest = 1_000_000;

/**
 * Reads and checks the configuration of an instance.
 *
 * @throws FluxError `instance_not_found` when there is none; `config_invalid` for what is no YAML or no mapping, with the line and
 *   the column; as `new Config` for its keys and values, with their line
 */
export function readConfig(instance: Instance): Config {
  const text = readText(instance.configFile);
  if (text === undefined) throw instanceNotFound(instance);
  return parseConfig(text);
}

export function parseConfig(text: string): Config {
  const lines = new LineCounter();
  const place = (offset = 0): string => {
    const { line, col } = lines.linePos(offset);
    return `line ${line}, column ${col}`;
  };
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  // Not the parser's own words, which repeat what it found.
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    const what = problem.code.toLowerCase().replaceAll("_", " ");
    throw invalid(`config.yaml is not valid YAML at ${place(problem.pos[0])}: ${what}`);
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return new Config();
  if (!isMap(contents) || !contents.items.every(({ key }) => isScalar(key)))
    throw invalid("config.yaml must have one KEY: value a line");
  const values = valuesOf(document);
  try {
    return new Config(values);
  } catch (error) {
    if (!FluxError.isInstance(error)) throw error;
    const { code, hint } = error;
    const key = contents.items.map((item) => item.key as Scalar).find(({ value }) => fails(values, value));
    const where = key === undefined ? "config.yaml" : `config.yaml, ${place(key.range?.[0])}`;
    throw new FluxError(code, `${where}: ${error.message}`, hint === undefined ? {} : { hint });
  }
}

/** A key without a value has its default. */
function valuesOf(document: Document): ConfigOptions {
  try {
    const values: Record<string, unknown> = document.toJS({ maxAliasCount: 0 });
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value ?? undefined]));
  } catch {
    throw invalid("config.yaml must not have aliases");
  }
}

/** Whether this key is what is wrong, by itself. */
function fails(values: ConfigOptions, key: unknown): boolean {
  try {
    new Config({ [String(key)]: values[String(key) as keyof ConfigOptions] });
    return false;
  } catch {
    return true;
  }
}

function readText(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw invalid("config.yaml is no file");
  if (found.size > longest) throw invalid("config.yaml is too long");
  return readFileSync(file, "utf8");
}

function invalid(message: string): FluxError {
  return new FluxError("config_invalid", message, {
    hint: "docs/service.md lists the keys and their values.",
  });
}
