import type { Json } from "./json.ts";

/**
 * Every code a {@link FluxError} can carry, with what it means. Codes are part of the public contract: they are
 * never renamed, and `docs/errors.md` lists them from here.
 */
export const errorCodes = {
  already_exists: "A record with this id, or with this unique key, is already there.",
  busy: "Another process held the store for longer than the time-out.",
  closed: "The ledger, the memory over it, or the service was closed.",
  config_invalid: "A value of the configuration has the wrong shape or is out of range.",
  config_not_available: "A key of the configuration belongs to a part that this version does not have.",
  config_unknown_key: "The configuration has a key that is not known.",
  conflict: "The record was changed meanwhile; read it again.",
  cursor_too_old:
    "The change feed no longer reaches back to this cursor; read the state anew and follow from its head.",
  daemon_running: "The daemon of this instance is running already.",
  dimension_mismatch: "A vector has another length than its space.",
  erased:
    "The record, or one that it rests on, is not there or was erased, and its id is never used again; or an erasure took the results of the operation that is repeated.",
  feedback_required: "The caller owes feedback for earlier recalls, which the details name.",
  forbidden: "The caller may not do this.",
  index_changed: "A search index was added or removed meanwhile; look at the spaces again and retry.",
  instance_not_found: "There is no instance of this name.",
  invalid_argument: "An argument has the wrong shape or value.",
  invalid_cursor: "A cursor was not made by this query, or was altered.",
  invalid_filter: "A metadata filter does not follow the grammar.",
  invalid_id: "An id is not 1 to 512 UTF-8 bytes of well-formed Unicode without NUL.",
  invalid_metadata:
    "Metadata is not a flat object of strings, finite numbers, booleans and lists of strings.",
  invalid_record: "A record does not fit its schema.",
  invalid_url: "A store URL is malformed or of an unknown kind.",
  invalid_user_id: "A user id is neither null nor a valid id.",
  lease_lost: "The job is no longer leased to this caller; its work was not committed.",
  missing_package: "An optional package is not installed.",
  model_failed: "A model, or the service that runs it, refused the call or gave an answer that is of no use.",
  not_found: "The record does not exist in this partition.",
  operation_conflict: "The operation id was used before with another payload.",
  outdated: "The store needs a newer version of flux-memory.",
  outdated_node: "The package needs a newer Node.",
  overloaded: "The service has as many calls waiting as it takes.",
  plan_unavailable: "A plan could not be loaded where the transaction runs.",
  port_in_use: "Another process listens on this port.",
  quota_exceeded: "The commit would exceed the partition's quota.",
  rate_limited: "A service takes no more calls for now.",
  storage_corrupt: "The store's files are damaged.",
  storage_failed: "The store reported an input or output error; nothing was committed.",
  storage_full: "The disk or the store is full; nothing was committed.",
  storage_readonly: "The store cannot be written to.",
  timeout: "A statement or a call ran into its time-out.",
  too_large: "A value is over its size limit.",
  unauthorized: "A service did not accept the key.",
  unavailable: "The store or the service could not be reached.",
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** What errors of these codes say besides, as `details`. Where the information comes from elsewhere, it may be missing. */
export interface ErrorDetails {
  readonly conflict: {
    /** The version that the record has now. */
    readonly version: number;
  };
  readonly feedback_required: {
    /** Recalls whose hits have no feedback yet, the oldest first. */
    readonly pending: readonly {
      readonly traceId: string;
      /** When it was asked, in milliseconds. */
      readonly askedAt: number;
      readonly grainIds: readonly string[];
    }[];
  };
  readonly invalid_argument: {
    /** Where the input of a service does not fit, and why. */
    readonly issues: readonly { readonly path: string; readonly message: string }[];
  };
  readonly rate_limited: {
    /** Milliseconds after which the same call may succeed. */
    readonly retryAfter: number;
    /** Present when it was the budget of a language model that refused the call. */
    readonly budget?: true;
  };
}

export interface FluxErrorOptions {
  /** What the reader can do about it. */
  readonly hint?: string;
  /** Whether the same call may succeed later. Default false. */
  readonly retryable?: boolean;
  /** More about it, as plain JSON; {@link ErrorDetails} has the form by code. */
  readonly details?: { readonly [key: string]: Json };
  readonly cause?: unknown;
}

/** A `FluxError` as plain data, for threads and wires. Never holds the cause. */
export interface FluxErrorJson {
  readonly name: "FluxError" | "FluxTypeError";
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly retryable: boolean;
  readonly details?: { readonly [key: string]: Json };
}

// A registered symbol, so that errors of another copy of this package are recognised as well.
const brand: unique symbol = Symbol.for("flux-memory.error") as never;

function isBranded(value: unknown): value is FluxError {
  return typeof value === "object" && value !== null && brand in value;
}

/**
 * The error of this package: a stable `code` (see {@link errorCodes}), a `hint`, whether a retry may help, `details` of some
 * codes, and the `cause`. Messages never contain secrets or stored content. `instanceof FluxError` also holds for
 * {@link FluxTypeError} and for errors of another copy of the package.
 */
export class FluxError extends Error {
  override readonly name: "FluxError" | "FluxTypeError" = "FluxError";
  readonly [brand] = true;
  readonly code: ErrorCode;
  readonly hint?: string;
  readonly retryable: boolean;
  readonly details?: { readonly [key: string]: Json };

  constructor(code: ErrorCode, message: string, options: FluxErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.hint !== undefined) this.hint = options.hint;
    this.retryable = options.retryable ?? false;
    if (options.details !== undefined) this.details = options.details;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === FluxError ? isBranded(value) : Function.prototype[Symbol.hasInstance].call(this, value);
  }

  static isInstance(value: unknown): value is FluxError {
    return isBranded(value);
  }

  toJSON(): FluxErrorJson {
    return errorToJson(this);
  }

  /** Restores an error that crossed a thread or a wire. */
  static fromJSON(json: FluxErrorJson): FluxError {
    const type = json.name === "FluxTypeError" ? FluxTypeError : FluxError;
    return new type(json.code, json.message, json);
  }
}

/** An argument of the wrong type: a {@link FluxError} that is also a `TypeError`. */
export class FluxTypeError extends TypeError implements FluxError {
  override readonly name = "FluxTypeError";
  readonly [brand] = true;
  readonly code: ErrorCode;
  readonly hint?: string;
  readonly retryable: boolean;
  readonly details?: { readonly [key: string]: Json };

  constructor(code: ErrorCode, message: string, options: FluxErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.hint !== undefined) this.hint = options.hint;
    this.retryable = options.retryable ?? false;
    if (options.details !== undefined) this.details = options.details;
  }

  toJSON(): FluxErrorJson {
    return errorToJson(this);
  }
}

function errorToJson(error: FluxError): FluxErrorJson {
  const { name, code, message, hint, retryable, details } = error;
  return {
    ...{ name, code, message, retryable },
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  };
}

/** A short, safe description of a value for a message: its type, never its content. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "string") return value === "" ? "an empty string" : "a string";
  return typeof value === "object" ? "an object" : typeof value;
}
