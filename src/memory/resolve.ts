import { checkLedger } from "../flux/check-options.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { isPlainObject } from "../model/json.ts";
import { checkNames, nearestName } from "../model/options.ts";
import type { LedgerOptions } from "../store/engine.ts";
import type { Ledger } from "../store/ledger.ts";
import { ledgerUrls, openLedger } from "../store/resolve.ts";
import type { AgentMemory } from "./agent-memory.ts";
import { EngineMemory } from "./engine-memory.ts";
import { isAgentMemory } from "./is-agent-memory.ts";
import { engineOptionsOf } from "./memory-options.ts";
import { type MemoryOptions, type MemorySpec, specNames } from "./spec.ts";

/** What stands for a memory: a URL, an object that says the same and more, or a memory itself. */
export type MemoryChoice = string | MemorySpec | AgentMemory;

/** The backends of the object form, with the properties by which each is found. */
const backends = {
  inmemory: [],
  sqlite: ["path", "url"],
  postgres: ["url", "dsn"],
  postgresql: ["url", "dsn"],
} as const satisfies Readonly<Record<string, readonly ("path" | "url" | "dsn")[]>>;
type Backend = keyof typeof backends;

/** Those that belong to the project and are not built yet. */
const planned: readonly string[] = ["chroma", "redis", "rediss"];

const known = `Known: ${Object.keys(backends).join(", ")}.`;

/**
 * The memory of a choice; without one, a memory that is gone with the process. Nothing is opened or connected before its first
 * call; calls that come together open it once, and one that fails to is tried again by the next.
 *
 * A memory is returned as it is. An object has a `backend` (or `type`), where it is (`path`, `url`, `dsn`), and {@link MemoryOptions};
 * or a ledger as its `store`.
 *
 * @throws FluxTypeError or FluxError `invalid_url` for a URL of another form, which the message never repeats;
 *   `invalid_argument` for anything else, with what is accepted
 */
export function resolveMemory(choice: MemoryChoice = "inmemory"): AgentMemory {
  if (typeof choice === "string") return onLedger((options) => openLedger(choice.trim(), options), {});
  if (isAgentMemory(choice)) return choice;
  if (!isPlainObject(choice)) {
    throw new FluxTypeError(
      "invalid_argument",
      `${describe(choice)} is no memory, and none can be made of it`,
      {
        hint: `Give one of ${ledgerUrls.join(", ")}; an object with a backend; or a memory.`,
      },
    );
  }
  checkNames(choice, "A memory", specNames);
  const spec: MemorySpec = choice;
  const { backend, type, path, url, dsn, store, ...options } = spec;
  const given = { path, url, dsn };
  if (store !== undefined) {
    if ((backend ?? type ?? path ?? url ?? dsn) !== undefined) throw twice("store");
    checkLedger(store);
    return onLedger(() => store, options, { own: false });
  }
  const name = backendOf({ backend, type });
  const place = placeOf(name, given);
  return onLedger((made) => openLedger(urlOf(name, place), made), options);
}

function onLedger(
  open: (options: LedgerOptions) => Ledger,
  options: MemoryOptions,
  { own = true } = {},
): AgentMemory {
  const { clock, randomness, namespace } = options;
  const rest = engineOptionsOf(options);
  return new EngineMemory({ ...rest, ledger: open({ clock, randomness }), own }, namespace);
}

function backendOf({ backend, type }: Pick<MemorySpec, "backend" | "type">): Backend {
  if (backend !== undefined && type !== undefined) throw twice("backend");
  const given = backend ?? type;
  if (typeof given !== "string") {
    throw new FluxTypeError(
      "invalid_argument",
      `The backend of a memory must be a string, not ${describe(given)}`,
      {
        hint: known,
      },
    );
  }
  const name = given.trim().toLowerCase();
  if (Object.hasOwn(backends, name)) return name as Backend;
  if (planned.includes(name))
    throw new FluxError("invalid_argument", `There is no adapter for ${name} yet`, { hint: known });
  const nearest = nearestName(name, new Set(Object.keys(backends)));
  throw new FluxError("invalid_argument", "There is no backend of this name", {
    hint: nearest === undefined ? known : `Perhaps ${nearest} was meant. ${known}`,
  });
}

function placeOf(name: Backend, given: Pick<MemorySpec, "path" | "url" | "dsn">): string | undefined {
  const taken: readonly string[] = backends[name];
  const found = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [key, value] of found) {
    if (!taken.includes(key)) {
      const hint = taken.length === 0 ? `${name} takes nothing.` : `${name} takes ${taken.join(" or ")}.`;
      throw new FluxError("invalid_argument", `A memory in ${name} has no ${key}`, { hint });
    }
    if (typeof value !== "string")
      throw new FluxTypeError("invalid_argument", `${key} must be a string, not ${describe(value)}`);
  }
  if (found.length > 1) throw twice(taken[0] ?? "place");
  return found[0]?.[1];
}

function urlOf(name: Backend, place: string | undefined): string {
  switch (name) {
    case "inmemory":
      return name;
    case "sqlite":
      if (place === undefined || place === ":memory:") return name;
      // The address of a server, with its password, must not become the name of a file.
      if (/^(?!sqlite:)[a-z][a-z0-9+.-]+:\/\//i.test(place))
        throw new FluxError(
          "invalid_url",
          "A memory in sqlite is in a file, which has no address of this kind",
          {
            hint: "Give a path, or sqlite:path/to/file.db.",
          },
        );
      return /^sqlite:/i.test(place) ? place : `sqlite:${place}`;
    default: {
      const hint = "Give postgres://user:password@host:port/database.";
      if (place === undefined)
        throw new FluxError("invalid_argument", `A memory in ${name} needs a url`, { hint });
      // What it asks for must not end in a store that goes with the process, for instance.
      if (/^postgres(?:ql)?:/i.test(place)) return place;
      throw new FluxError("invalid_url", `A memory in ${name} is on a server, which has another address`, {
        hint,
      });
    }
  }
}

function twice(name: string): FluxError {
  return new FluxError("invalid_argument", `A memory has its ${name} twice`, {
    hint: "backend and type are two names of the same, as are path, url and dsn; a store needs neither.",
  });
}
