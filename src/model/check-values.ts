import { describe, FluxError, FluxTypeError } from "./errors.ts";

/** @throws FluxError `invalid_argument` unless it is a whole number from `least` to `most` */
export function checkWhole(value: unknown, name: string, least: number, most: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new FluxError("invalid_argument", `${name} must be a whole number from ${least} to ${most}`);
}

/** @throws FluxTypeError `invalid_argument` unless it is undefined or a function */
export function checkFunction(value: unknown, name: string): void {
  if (value === undefined || typeof value === "function") return;
  throw new FluxTypeError("invalid_argument", `${name} must be a function, not ${describe(value)}`);
}
