import { FluxError } from "../../model/errors.ts";

/** What the errors of the AI SDK, of OpenAI's SDK and of our own call have in common, under either's name. */
interface ServiceFailure {
  readonly statusCode?: unknown;
  readonly status?: unknown;
  readonly responseHeaders?: unknown;
  readonly headers?: unknown;
}

/**
 * What is kept of an error of a service or a connection, as the cause: neither its message nor what hangs on it, in which there
 * may be keys, texts and addresses with passwords.
 */
class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly status?: number;

  constructor(error: unknown) {
    const status = statusOf(error);
    super(status === undefined ? (systemCode(error) ?? "No answer") : `HTTP ${status}`);
    if (status !== undefined) this.status = status;
  }
}

/**
 * The failure of a call as a {@link FluxError}. Neither it nor its cause says anything of what the service wrote, which may
 * repeat texts and keys.
 */
export function failureOf(error: unknown, model: string): FluxError {
  if (FluxError.isInstance(error)) return error;
  const status = statusOf(error);
  const cause = new ServiceError(error);
  const retryAfter = retryAfterOf(error);
  const fail = (code: FluxError["code"], what: string, retryable: boolean, hint?: string): FluxError =>
    new FluxError(code, `${model} ${what}`, {
      ...{ retryable, cause },
      ...(hint === undefined ? {} : { hint }),
      ...(retryAfter === undefined ? {} : { details: { retryAfter } }),
    });
  if (isTimeout(error)) return fail("timeout", "did not answer in time", true);
  if (status === 429) return fail("rate_limited", "takes no more calls for now", true);
  if (status === 401 || status === 403)
    return fail("unauthorized", `did not accept the key (HTTP ${status})`, false, "Check the API key.");
  if (status === 408 || status === 409 || (status ?? 0) >= 500)
    return fail("unavailable", `failed (HTTP ${status})`, true);
  if (status !== undefined && status >= 400)
    return fail("model_failed", `refused the call (HTTP ${status})`, false);
  // With a good status, or with none at all, it is the answer or the connection that is broken.
  if (status !== undefined) return fail("model_failed", "gave an answer that cannot be read", true);
  return fail("unavailable", "could not be reached", true);
}

/** How long the service asks to wait, in milliseconds. */
export function askedToWait(failure: FluxError): number | undefined {
  const { retryAfter } = failure.details ?? {};
  return typeof retryAfter === "number" ? retryAfter : undefined;
}

function retryAfterOf(error: unknown): number | undefined {
  const milliseconds = Number(header(error, "retry-after-ms") ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const after = header(error, "retry-after");
  if (after === undefined) return undefined;
  const seconds = Number(after);
  const wait = Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1000;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function statusOf(error: unknown): number | undefined {
  const { statusCode, status } = Object(error) as ServiceFailure;
  return [statusCode, status].find((value) => typeof value === "number");
}

/** As ECONNREFUSED, which fetch has in the cause of its error. */
function systemCode(error: unknown): string | undefined {
  for (const { code } of [Object(error), Object(Object(error).cause)] as { readonly code?: unknown }[])
    if (typeof code === "string" && /^(?:E|UND_ERR_|ERR_|CERT_)[A-Z_]{2,40}$/.test(code)) return code;
  return undefined;
}

function header(error: unknown, name: string): string | undefined {
  const { responseHeaders, headers } = Object(error) as ServiceFailure;
  const all = responseHeaders ?? headers;
  if (all instanceof Headers) return all.get(name) ?? undefined;
  const value = (Object(all) as Record<string, unknown>)[name];
  return typeof value === "string" ? value : undefined;
}

function isTimeout(error: unknown): boolean {
  const { name } = Object(error) as { name?: unknown };
  return name === "TimeoutError" || name === "APIConnectionTimeoutError";
}
