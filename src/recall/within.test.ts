import { expect, test, vi } from "vitest";
import { within } from "./within.ts";

const hang = () => new Promise<never>(() => undefined);

test("a model that answers in time is passed on, and so is what it rejects or throws", async () => {
  expect(await within({ timeout: 1000 }, async () => 5)).toBe(5);
  const error = new TypeError("fetch failed");
  await expect(within({ timeout: 1000 }, () => Promise.reject(error))).rejects.toBe(error);
  const thrower = () => {
    throw error;
  };
  await expect(within({ timeout: 1000 }, thrower)).rejects.toBe(error);
});

test("one that hangs is given up, and told, at the time-out and on either signal", async () => {
  const told = vi.fn();
  const model = (signal: AbortSignal) => {
    signal.addEventListener("abort", () => told(signal.reason));
    return hang();
  };
  await expect(within({ timeout: 5 }, model)).rejects.toMatchObject({ code: "timeout", retryable: true });
  for (const name of ["signal", "stop"]) {
    const controller = new AbortController();
    const waiting = within({ timeout: 60_000, [name]: controller.signal }, model);
    const reason = new Error(name);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    const call = vi.fn(hang);
    await expect(within({ timeout: 60_000, [name]: controller.signal }, call)).rejects.toBe(reason);
    expect(call).not.toHaveBeenCalled();
  }
  expect(told).toHaveBeenCalledTimes(3);
});

test("an abort after the answer, and a rejection after the end, are heard by nobody", async () => {
  const controller = new AbortController();
  await within({ timeout: 1000, signal: controller.signal }, async (signal) => {
    signal.addEventListener("abort", () => expect.unreachable());
  });
  controller.abort();
  const late = Promise.withResolvers<never>();
  await expect(within({ timeout: 1 }, () => late.promise)).rejects.toMatchObject({ code: "timeout" });
  late.reject(new Error("late"));
  await new Promise((resolve) => setTimeout(resolve, 5));
});
