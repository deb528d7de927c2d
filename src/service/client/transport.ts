import { type ErrorCode, errorCodes, FluxError, type FluxErrorJson } from "../../model/errors.ts";
import { fromWire } from "../protocol/translate.ts";

/** One request, as often as it takes. */
export interface Call {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** From the root of the service, encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** Sent as it is, as lines of JSON. */
  readonly lines?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Statuses besides 2xx that come with a result. */
  readonly results?: readonly number[];
}

export interface TransportOptions {
  readonly base: URL;
  readonly fetch: typeof fetch;
  /** Milliseconds that an attempt may take. */
  readonly timeout: number;
  /** Attempts after the first one. */
  readonly retries: number;
}

/** Milliseconds before the second attempt; doubled for each one after that, and up to half of it less, by chance. */
const firstPause = 100;

/** Sends requests, and turns whatever goes wrong into errors of this package. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  get retries(): number {
    return this.#options.retries;
  }

  /** Aborted by `close`. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Sends a request and reads its answer. What connections do to it is tried again: every write names its operation. */
  json<T>(call: Call): Promise<T> {
    return this.#track(async () => {
      const text = await this.retried(call.signal, () => this.#attempt(call));
      try {
        return JSON.parse(text) as T;
      } catch {
        throw this.#stranger();
      }
    });
  }

  async #attempt(call: Call): Promise<string> {
    const timeout = AbortSignal.timeout(this.#options.timeout);
    const response = await this.#send(call, AbortSignal.any([timeout, ...signalsOf(call)]), timeout);
    return this.#read(() => response.text(), call.signal, timeout);
  }

  /** Opens a stream. The time-out ends with the answer's headers. */
  async open(call: Call): Promise<ReadableStream<Uint8Array>> {
    this.#checkOpen();
    const waiting = new AbortController();
    const timer = setTimeout(
      () => waiting.abort(new DOMException("No answer came in time", "TimeoutError")),
      this.#options.timeout,
    );
    try {
      const signal = AbortSignal.any([waiting.signal, this.closing, ...signalsOf(call)]);
      const { body } = await this.#send(call, signal, waiting.signal);
      if (body === null) throw this.#stranger();
      return body;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Does something until it meets with no failure of the connection, or too many. */
  async retried<T>(signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
    for (let failed = 0; ; failed++) {
      try {
        return await attempt();
      } catch (error) {
        if (!isConnectionFailure(error) || failed >= this.#options.retries) throw error;
        await this.pause(failed, signal);
      }
    }
  }

  /** Waits before the attempt that follows a number of failed ones. */
  async pause(failed: number, signal: AbortSignal | undefined): Promise<void> {
    const stop = AbortSignal.any([this.closing, ...signalsOf({ signal })]);
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        stop.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, firstPause * 2 ** failed * (1 - Math.random() / 2));
      stop.addEventListener("abort", end);
      if (stop.aborted) end();
    });
    signal?.throwIfAborted();
    this.#checkOpen();
  }

  /** What reading an answer failed with, as an error of this package. */
  failure(cause: unknown, signal: AbortSignal | undefined, timeout?: AbortSignal): unknown {
    if (signal?.aborted) return signal.reason;
    if (FluxError.isInstance(cause)) return cause;
    if (this.closing.aborted) return closed();
    if (timeout?.aborted)
      return new FluxError("timeout", "The service did not answer in time", {
        retryable: true,
        hint: "A retry with the same operation id has its effect once.",
      });
    return new ConnectionFailure(`The service at ${this.#options.base.origin} could not be reached`, {
      retryable: true,
      hint: "See whether it runs, with `flux status`.",
      cause,
    });
  }

  /** Ends streams and waits for calls. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running);
  }

  async #send(call: Call, signal: AbortSignal, timeout: AbortSignal): Promise<Response> {
    call.signal?.throwIfAborted();
    const { base, fetch } = this.#options;
    const url = new URL(call.path, base);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const content =
      call.body === undefined
        ? { type: "application/x-ndjson", text: call.lines }
        : { type: "application/json", text: encode(call.body) };
    const response = await this.#read(
      () =>
        fetch(url, {
          method: call.method,
          headers: {
            ...call.headers,
            ...(content.text === undefined ? {} : { "content-type": content.type }),
          },
          body: content.text ?? null,
          signal,
          redirect: "error",
          credentials: "omit",
          cache: "no-store",
        }),
      call.signal,
      timeout,
    );
    if (response.ok || call.results?.includes(response.status)) return response;
    throw await this.#problem(response, call.signal, timeout);
  }

  async #read<T>(read: () => Promise<T>, signal: AbortSignal | undefined, timeout: AbortSignal): Promise<T> {
    try {
      return await read();
    } catch (error) {
      throw this.failure(error, signal, timeout);
    }
  }

  async #problem(
    response: Response,
    signal: AbortSignal | undefined,
    timeout: AbortSignal,
  ): Promise<FluxError> {
    const text = await this.#read(() => response.text(), signal, timeout);
    const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json");
    return (isProblem && problemOf(text)) || this.#stranger(response.status);
  }

  #stranger(status?: number): FluxError {
    const { origin } = this.#options.base;
    const answered = status === undefined ? "" : `, which answered with ${status}`;
    return new FluxError("unavailable", `There is no flux-memory service at ${origin}${answered}`);
  }

  #track<T>(work: () => Promise<T>): Promise<T> {
    const promise = (async () => {
      this.#checkOpen();
      return work();
    })();
    this.#running.add(promise);
    const done = (): void => void this.#running.delete(promise);
    promise.then(done, done);
    return promise;
  }

  #checkOpen(): void {
    if (this.closing.aborted) throw closed();
  }
}

function closed(): FluxError {
  return new FluxError("closed", "The client was closed");
}

/** The connection broke or never came about, so that another attempt may succeed. */
class ConnectionFailure extends FluxError {
  constructor(message: string, options: ConstructorParameters<typeof FluxError>[2]) {
    super("unavailable", message, options);
  }
}

export function isConnectionFailure(error: unknown): boolean {
  return error instanceof ConnectionFailure;
}

function signalsOf({ signal }: Pick<Call, "signal">): AbortSignal[] {
  return signal === undefined ? [] : [signal];
}

/** The error that a problem stands for; undefined when it is none. */
export function problemOf(text: string): FluxError | undefined {
  try {
    const { name, code, detail, hint, retryable, details } = JSON.parse(text);
    if (typeof detail !== "string" || typeof code !== "string") return undefined;
    const known = Object.hasOwn(errorCodes, code);
    const json: FluxErrorJson = {
      name: name === "FluxTypeError" ? name : "FluxError",
      // Also of a newer service, which may have codes that this version does not know.
      code: known ? (code as ErrorCode) : "unavailable",
      message: known ? detail : `The service failed with ${code}`,
      retryable: retryable === true,
      ...(typeof hint === "string" ? { hint } : {}),
      ...(typeof details === "object" && details !== null ? { details: fromWire(details) } : {}),
    };
    return FluxError.fromJSON(json);
  } catch {
    return undefined;
  }
}

/** JSON as `JSON.stringify` makes it, but for what it would leave out or turn into something else. */
export function encode(body: object): string {
  return JSON.stringify(body, function (this: Record<string, unknown>, key, value: unknown) {
    const original = this[key];
    const lost =
      original !== value ||
      (typeof value === "number" && !Number.isFinite(value)) ||
      typeof value === "function" ||
      typeof value === "symbol" ||
      typeof value === "bigint" ||
      (value === undefined && Array.isArray(this)) ||
      (typeof value === "object" && value !== null && !isPlain(value));
    if (!lost) return value;
    throw new FluxError("invalid_argument", "The call holds a value that JSON cannot");
  });
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
