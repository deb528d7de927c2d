import { FluxError, type FluxErrorJson } from "../../model/errors.ts";

/** What was thrown, in a form that crosses threads. */
export type ErrorMessage =
  | { readonly type: "aborted" }
  | { readonly type: "flux"; readonly json: FluxErrorJson; readonly cause?: ErrorMessage }
  | {
      readonly type: "error";
      /** The built-in class that it belongs to: its own class is a thing of the other thread. */
      readonly base: keyof typeof bases;
      readonly name: string;
      readonly message: string;
      readonly stack: string | undefined;
      readonly properties: Readonly<Record<string, unknown>>;
      readonly cause?: ErrorMessage;
    }
  | { readonly type: "value"; readonly value: unknown };

const bases = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

/** Causes of causes that are sent along; a cause may also be the error itself. */
const deepest = 8;

/**
 * Of errors of ours code, hint and whether a retry may help; of others their name, message, stack and what can be copied of
 * their own properties; of both the cause. Other values that were thrown go as they are if they can be copied.
 */
export function encodeError(error: unknown, signal?: AbortSignal): ErrorMessage {
  if (signal?.aborted && error === signal.reason) return { type: "aborted" };
  return encode(error, 0);
}

function encode(error: unknown, depth: number): ErrorMessage {
  try {
    if (!(error instanceof Error)) return { type: "value", value: structuredClone(error) };
    const cause = encodeCause(error, depth);
    if (FluxError.isInstance(error)) return { type: "flux", json: error.toJSON(), ...cause };
    const { name, message, stack } = error;
    return {
      type: "error",
      base: baseOf(error),
      name: String(name),
      message: String(message),
      stack: typeof stack === "string" ? stack : undefined,
      properties: copyProperties(error),
      ...cause,
    };
  } catch {
    // It has no copy, or getters that throw.
    return encode(new Error("Something was thrown that cannot be sent to another thread"), depth);
  }
}

function encodeCause(error: Error, depth: number): { readonly cause?: ErrorMessage } {
  return error.cause === undefined || depth === deepest ? {} : { cause: encode(error.cause, depth + 1) };
}

function baseOf(error: Error): keyof typeof bases {
  const found = Object.entries(bases).find(([name, base]) => name !== "Error" && error instanceof base);
  return (found?.[0] ?? "Error") as keyof typeof bases;
}

function copyProperties(error: Error): Record<string, unknown> {
  const known = ["name", "message", "stack", "cause"];
  const names = Object.getOwnPropertyNames(error).filter((name) => !known.includes(name));
  return Object.fromEntries(names.flatMap((name) => copyProperty(error, name)));
}

function copyProperty(error: Error, name: string): readonly [string, unknown][] {
  try {
    return [[name, structuredClone(error[name as never])]];
  } catch {
    return [];
  }
}

/** @param signal that of the call, for a call that was aborted */
export function decodeError(error: ErrorMessage, signal?: AbortSignal): unknown {
  switch (error.type) {
    case "aborted":
      return signal?.reason;
    case "flux": {
      const decoded = FluxError.fromJSON(error.json);
      if (error.cause !== undefined) define(decoded, "cause", decodeError(error.cause));
      return decoded;
    }
    case "value":
      return error.value;
    case "error": {
      const { base, name, message, stack, properties, cause } = error;
      const decoded = new bases[base](message);
      if (decoded.name !== name) define(decoded, "name", name);
      if (stack !== undefined) define(decoded, "stack", stack);
      if (cause !== undefined) define(decoded, "cause", decodeError(cause));
      for (const [key, value] of Object.entries(properties)) define(decoded, key, value, true);
      return decoded;
    }
  }
}

// Not by assignment: a property may have any name.
function define(error: Error, key: string, value: unknown, enumerable = false): void {
  Object.defineProperty(error, key, { value, enumerable, writable: true, configurable: true });
}
