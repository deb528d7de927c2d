import { checkKnown } from "../flux/check-options.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { optionNames } from "../model/options.ts";
import { isStorable } from "../model/unicode.ts";

/** What a program may be to the memory, see docs/service.md. */
export const callerRoles = ["chat", "memory_writer", "background_lookup", "system", "admin", "test"] as const;

export type CallerRole = (typeof callerRoles)[number];

/** Who says that it calls. Declared, not proven: on loopback every program is trusted. */
export interface CallerOptions {
  /** Any stable name of the program, such as "codex": 1 to 100 characters. Default "anonymous". */
  readonly client?: string | undefined;
  /** Default "chat". */
  readonly role?: CallerRole | undefined;
  /** The older form, "client:role" or "client". Gives what `client` and `role` do not. */
  readonly callerId?: string | undefined;
}

export interface Caller {
  readonly client: string;
  readonly role: CallerRole;
  /** "client:role", which limits, traces and feedback are bound to. */
  readonly id: string;
}

const names = optionNames<CallerOptions>({ client: true, role: true, callerId: true });
const longestClient = 100;

/**
 * Reads who calls. Nothing is guessed and nothing made alike: "Codex" and "codex" are two clients.
 *
 * @throws FluxTypeError or FluxError `invalid_argument`; for a role that is not known with the list of roles
 */
export function callerOf(options: CallerOptions = {}): Caller {
  const { callerId, ...fields } = checkKnown(options, names, "A caller");
  const declared = callerId === undefined ? {} : split(callerId);
  const { client = declared.client ?? "anonymous", role: given = declared.role ?? "chat" } = fields;
  checkClient(client);
  const role = checkRole(given);
  return Object.freeze({ client, role, id: `${client}:${role}` });
}

/** At the last colon: a role has none, while the name of a client may, such as "urn:agent:7". */
function split(callerId: unknown): { readonly client?: string; readonly role?: string } {
  if (typeof callerId !== "string")
    throw new FluxTypeError("invalid_argument", `callerId must be a string, not ${describe(callerId)}`);
  const colon = callerId.lastIndexOf(":");
  if (colon < 0) return { client: callerId };
  return { client: callerId.slice(0, colon), role: callerId.slice(colon + 1) };
}

function checkClient(client: unknown): void {
  if (typeof client !== "string")
    throw new FluxTypeError("invalid_argument", `client must be a string, not ${describe(client)}`);
  // Names are shown in lists and logs, where one must not pass for two, or for another.
  const shown = isStorable(client) && !/[\p{Cc}\p{Zl}\p{Zp}]|^\s|\s$/u.test(client);
  if (shown && client.length >= 1 && client.length <= longestClient) return;
  throw new FluxError(
    "invalid_argument",
    `client must be 1 to ${longestClient} characters without control characters, line breaks and spaces at its ends`,
    { hint: 'Any stable name will do, such as "local-agent-1".' },
  );
}

function checkRole(role: unknown): CallerRole {
  if (typeof role !== "string")
    throw new FluxTypeError("invalid_argument", `role must be a string, not ${describe(role)}`);
  const known = callerRoles.find((name) => name === role);
  if (known !== undefined) return known;
  throw new FluxError("invalid_argument", "This is no role of a caller", {
    hint: `Roles: ${callerRoles.join(", ")}.`,
  });
}
