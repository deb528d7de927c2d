import { expect, test } from "vitest";
import { FluxError, FluxTypeError } from "../../model/errors.ts";
import { decodeError, encodeError } from "./worker-errors.ts";

/** What arrives in the other thread. */
function cross(error: unknown): unknown {
  return decodeError(structuredClone(encodeError(error)));
}

class OutOfStock extends RangeError {
  override readonly name = "OutOfStock";
  readonly code = "out_of_stock";
  readonly left = { apples: 0, 梨: [1, null] };
  readonly retry = (): void => undefined;
}

test("an error keeps its name, message, stack, properties and built-in class", () => {
  const error = new OutOfStock("no 🍎 left");
  const crossed = cross(error) as OutOfStock;
  expect(crossed).toBeInstanceOf(RangeError);
  expect(crossed).toMatchObject({
    name: "OutOfStock",
    message: "no 🍎 left",
    code: "out_of_stock",
    left: error.left,
  });
  expect(crossed.stack).toBe(error.stack);
  // A function has no copy.
  expect(crossed).not.toHaveProperty("retry");
});

test.each([Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError])(
  "a bare %o stays one",
  (type) => {
    const crossed = cross(new type("m"));
    expect((crossed as Error).constructor).toBe(type);
    expect(Object.keys(crossed as Error)).toEqual([]);
  },
);

test("an error of ours keeps its class, code, hint and whether a retry may help", () => {
  const error = new FluxTypeError("invalid_argument", "wrong", { hint: "right", retryable: true });
  const crossed = cross(error);
  expect(crossed).toBeInstanceOf(FluxError);
  expect(crossed).toBeInstanceOf(FluxTypeError);
  expect(crossed).toMatchObject({
    code: "invalid_argument",
    message: "wrong",
    hint: "right",
    retryable: true,
  });
});

test("causes cross with their errors, also in a circle", () => {
  const system = Object.assign(new Error("disk"), { code: "EIO", errno: -5 });
  const error = new FluxError("storage_failed", "failed", {
    cause: new TypeError("outer", { cause: system }),
  });
  const crossed = cross(error) as FluxError;
  expect(crossed.cause).toBeInstanceOf(TypeError);
  expect((crossed.cause as Error).cause).toMatchObject({ message: "disk", code: "EIO", errno: -5 });
  const circle = new Error("circle");
  circle.cause = circle;
  expect((cross(circle) as Error).cause).toMatchObject({ message: "circle" });
});

test.each([undefined, null, "text", 7, Number.NaN, 10n, { a: [1] }, [new Date(0)]])(
  "%o is thrown as it is",
  (value) => {
    expect(cross(value)).toEqual(value);
  },
);

test("what has no copy, or getters that throw, arrives as an error", () => {
  const hostile = new Error("m");
  Object.defineProperty(hostile, "message", {
    get: () => {
      throw new Error("from a getter");
    },
  });
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  for (const value of [() => 1, Symbol("s"), { f: () => 1 }, hostile, revoked.proxy]) {
    const crossed = cross(value);
    expect(crossed).toBeInstanceOf(Error);
    expect((crossed as Error).message).toMatch(/cannot be sent/);
  }
});

test("a property named __proto__ is one", () => {
  const error = new Error("m");
  Object.defineProperty(error, "__proto__", { value: { polluted: true }, enumerable: true });
  const crossed = cross(error) as Error;
  expect(Object.getPrototypeOf(crossed)).toBe(Error.prototype);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test("an abort comes back as the reason of the caller's own signal", () => {
  const thread = AbortSignal.abort(new Error("of the thread"));
  const caller = AbortSignal.abort("of the caller");
  expect(decodeError(encodeError(thread.reason, thread), caller)).toBe("of the caller");
});
