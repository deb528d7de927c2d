import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { isPlainObject } from "../model/json.ts";
import { nearestName } from "../model/options.ts";
import {
  type ConfigKey,
  type ConfigOptions,
  type ConfigValues,
  configKeys,
  configSchema,
} from "./config-keys.ts";
import { laterKeys } from "./later-keys.ts";

// A base of their type, so that every key is a property without being declared once more.
const Values = class {
  constructor(values: ConfigValues) {
    Object.assign(this, values);
  }
} as new (
  values: ConfigValues,
) => ConfigValues;

/**
 * The configuration of a service, each value under its key: checked when it is made, and unchangeable. docs/service.md has
 * the list of keys.
 */
export class Config extends Values {
  /**
   * @param options values by key; what is left out has its default
   * @throws FluxError `config_unknown_key`, with the key that was probably meant; `config_invalid` for a value of the wrong
   *   type or out of range; `config_not_available` for a value of a part that this version does not have. FluxTypeError
   *   `config_invalid` when it is no plain object
   */
  constructor(options: ConfigOptions = {}) {
    super(checked(options));
    Object.freeze(this);
  }

  /** The values, without passwords in URLs: for logs and wires. */
  toJSON(): ConfigValues {
    const shown = Object.entries(this).map(([key, value]) => [
      key,
      typeof value === "string" ? withoutSecrets(value) : value,
    ]);
    return Object.fromEntries(shown);
  }

  /** What `console.log` shows. */
  [Symbol.for("nodejs.util.inspect.custom")](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    return `Config ${inspect(this.toJSON(), options)}`;
  }
}

function checked(options: unknown): ConfigValues {
  if (!isPlainObject(options)) {
    const message = `The configuration must be an object, not ${describe(options)}`;
    throw new FluxTypeError("config_invalid", message);
  }
  const given: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) {
    if (Object.hasOwn(configKeys, key)) given[key] = value;
    else checkLater(key, value);
  }
  const { data, error } = configSchema.safeParse(given);
  if (data !== undefined) return data;
  // What the check says names no values.
  const problems = error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`);
  throw new FluxError("config_invalid", `The configuration cannot be used. ${problems.join("; ")}`, {
    hint: hintFor(error.issues[0]?.path[0] as ConfigKey),
  });
}

function hintFor(key: ConfigKey): string {
  if (key === "REST_HOST") return "The service can be reached from this machine only.";
  return `${key}: ${configKeys[key].description}.`;
}

function checkLater(key: string, value: unknown): void {
  // A file may hold anything, and what is no key is not repeated.
  const name = /^\w{1,64}$/.test(key) ? key : "a key";
  const defaults = Object.hasOwn(laterKeys, key) ? laterKeys[key] : undefined;
  if (defaults === undefined) {
    const known = Object.keys(configKeys);
    const nearest = nearestName(key, new Set([...known, ...Object.keys(laterKeys)]));
    throw new FluxError("config_unknown_key", `The configuration has ${name}, which is not known`, {
      hint: nearest === undefined ? `Known: ${known.join(", ")}.` : `Perhaps ${nearest} was meant.`,
    });
  }
  if (value === undefined || defaults.includes(value)) return;
  throw new FluxError(
    "config_not_available",
    `${name} belongs to a part that this version does not have, so that its value would have no effect`,
    { hint: `Leave it out, or at its default ${JSON.stringify(defaults[0])}.` },
  );
}

/** A URL without user name, password and keys; other text as it is. */
function withoutSecrets(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/).*@/i, "$1***@")
    .replace(/([?&][^=&#]*(?:pass|key|token|secret)[^=&#]*=)[^&#]*/gi, "$1***");
}
