import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ZodError } from "zod";
import { type ErrorCode, errorCodes, FluxError } from "../../model/errors.ts";
import { invalidInput } from "../invalid-input.ts";
import { toWire } from "../protocol/translate.ts";
import type { Problem } from "../wire/problem.ts";

/** The HTTP status of each error code. */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
  already_exists: 409,
  busy: 503,
  closed: 503,
  config_invalid: 500,
  config_not_available: 500,
  config_unknown_key: 500,
  // Of a change that depends on `If-Match`.
  conflict: 412,
  cursor_too_old: 410,
  daemon_running: 409,
  dimension_mismatch: 500,
  erased: 410,
  // The caller has to do something else first.
  feedback_required: 428,
  forbidden: 403,
  index_changed: 503,
  instance_not_found: 404,
  invalid_argument: 400,
  invalid_cursor: 400,
  invalid_filter: 400,
  invalid_id: 400,
  invalid_metadata: 400,
  invalid_record: 400,
  invalid_url: 500,
  invalid_user_id: 400,
  lease_lost: 503,
  missing_package: 500,
  model_failed: 502,
  not_found: 404,
  operation_conflict: 409,
  outdated: 500,
  outdated_node: 500,
  overloaded: 503,
  plan_unavailable: 500,
  port_in_use: 500,
  quota_exceeded: 507,
  rate_limited: 429,
  storage_corrupt: 500,
  storage_failed: 500,
  storage_full: 507,
  storage_readonly: 500,
  timeout: 504,
  too_large: 413,
  unauthorized: 401,
  unavailable: 503,
};

/** An error of HTTP itself, for which the status of its code is not the right one. */
export class HttpError extends Error {
  readonly status: number;
  readonly error: FluxError;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, error: FluxError, headers: Readonly<Record<string, string>> = {}) {
    super(error.message);
    this.status = status;
    this.error = error;
    this.headers = headers;
  }
}

/**
 * The answer to whatever was thrown, as `application/problem+json`. Of an error that is not ours nothing is told: its message may
 * hold anything.
 */
export function problemResponse(thrown: unknown): Response {
  const error = known(thrown);
  if (error === undefined) return respond(internalError, {});
  const { status, error: flux, headers } = error;
  const { retryAfter } = (flux.details ?? {}) as { readonly retryAfter?: unknown };
  return respond(
    {
      type: `urn:flux-memory:error:${flux.code}`,
      title: errorCodes[flux.code],
      status,
      detail: flux.message,
      code: flux.code,
      name: flux.name,
      ...(flux.hint === undefined ? {} : { hint: flux.hint }),
      retryable: flux.retryable,
      ...(flux.details === undefined ? {} : { details: toWire(flux.details) }),
    },
    typeof retryAfter === "number"
      ? { ...headers, "retry-after": String(Math.max(1, Math.ceil(retryAfter / 1000))) }
      : headers,
  );
}

/** Whether an error is one that its message says all about; else somebody should look at it. */
export function isExpected(thrown: unknown): boolean {
  const error = known(thrown);
  return error !== undefined && error.status < 500;
}

type Known = Pick<HttpError, "status" | "error" | "headers">;

function known(thrown: unknown): Known | undefined {
  if (thrown instanceof HttpError) return thrown;
  if (FluxError.isInstance(thrown)) {
    // Another version of the package may have codes of its own.
    const status = Object.hasOwn(statusOf, thrown.code) ? statusOf[thrown.code] : undefined;
    return status === undefined ? undefined : { status, error: thrown, headers: {} };
  }
  // What Hono itself refuses: a body of another type, and one that is empty.
  if (thrown instanceof HTTPException && thrown.status === 415) return unsupportedType();
  if (thrown instanceof HTTPException && thrown.status === 400) return known(notJson());
  if (thrown instanceof DOMException && thrown.name === "TimeoutError") {
    const message = "The request took longer than the service waits";
    return {
      status: statusOf.timeout,
      headers: {},
      error: new FluxError("timeout", message, {
        retryable: true,
        hint: "A retry with the same Idempotency-Key has its effect once.",
      }),
    };
  }
  return undefined;
}

export function unsupportedType(type = "application/json"): HttpError {
  const error = new FluxError("invalid_argument", `The body must have the content type ${type}`);
  return new HttpError(415, error, { accept: type });
}

export function notJson(): FluxError {
  return new FluxError("invalid_argument", "The body is not JSON in UTF-8");
}

const internalError: Problem = {
  type: "urn:flux-memory:error:internal_error",
  title: "Something that should not happen happened in the service.",
  status: 500,
  detail: "The request failed",
  code: "internal_error",
  name: "FluxError",
  retryable: false,
};

function respond(problem: Problem, headers: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { ...headers, "content-type": "application/problem+json" },
  });
}

/** For `defaultHook`: throws what a check of the request found. */
export function throwInvalid(
  result: { readonly target: string } & (
    | { readonly success: true }
    | { readonly success: false; readonly error: ZodError }
  ),
  _: Context,
): void {
  if (result.success) return;
  const where = { json: "body", param: "path" }[result.target] ?? result.target;
  throw invalidInput(where, result.error);
}
