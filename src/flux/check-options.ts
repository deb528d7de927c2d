import { checkWhole } from "../model/check-values.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { isPlainObject } from "../model/json.ts";
import { checkNames } from "../model/options.ts";
import { provenances } from "../model/provenances.ts";
import { timestampSchema } from "../model/record.ts";
import type { Ledger } from "../store/ledger.ts";
import { ledgerUrls } from "../store/resolve.ts";

/**
 * Returns options that have known properties only.
 *
 * @throws FluxTypeError `invalid_argument` unless it is a plain object; FluxError `invalid_argument` for another property
 */
export function checkKnown<T extends object>(options: T, names: ReadonlySet<string>, what = "options"): T {
  if (!isPlainObject(options))
    throw new FluxTypeError("invalid_argument", `${what} must be an object, not ${describe(options)}`);
  checkNames(options, what, names);
  return options as T;
}

/** @throws FluxTypeError `invalid_argument` unless it is a string */
export function checkString(value: unknown, name: string, hint?: string): string {
  if (typeof value === "string") return value;
  const message = `${name} must be a string, not ${describe(value)}`;
  throw new FluxTypeError("invalid_argument", message, hint === undefined ? {} : { hint });
}

/** @throws FluxTypeError `invalid_argument` unless it is undefined or an AbortSignal */
export function checkSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || signal instanceof AbortSignal) return signal;
  throw new FluxTypeError("invalid_argument", `signal must be an AbortSignal, not ${describe(signal)}`);
}

/** @throws FluxError `invalid_argument` unless it is one of the words */
export function checkChoice(value: unknown, name: string, known: readonly string[]): void {
  if (typeof value === "string" && known.includes(value)) return;
  throw new FluxError("invalid_argument", `There is no such ${name}`, {
    hint: `Known: ${known.join(", ")}.`,
  });
}

/** @throws FluxTypeError or FluxError `invalid_argument` unless it is a list of provenances */
export function checkProvenances(value: unknown, name: string): void {
  if (!Array.isArray(value))
    throw new FluxTypeError("invalid_argument", `${name} must be a list, not ${describe(value)}`);
  for (const item of value) checkChoice(item, `provenance in ${name}`, provenances);
}

/** @throws FluxError `invalid_argument` unless it is a number from 0 to 1 */
export function checkShare(value: unknown, name: string): void {
  if (typeof value === "number" && value >= 0 && value <= 1) return;
  throw new FluxError("invalid_argument", `${name} must be a number from 0 to 1`);
}

/** @throws FluxTypeError `invalid_argument` unless it is a boolean */
export function checkBoolean(value: unknown, name: string): void {
  if (typeof value === "boolean") return;
  throw new FluxTypeError("invalid_argument", `${name} must be a boolean, not ${describe(value)}`);
}

/** @throws FluxError `invalid_argument` unless it is a whole number from 1 to `most` */
export function checkLimit(value: unknown, name: string, most = 1000): void {
  checkWhole(value, name, 1, most);
}

/** @throws FluxError `invalid_argument` unless it is a whole number of milliseconds up to `most` */
export function checkMilliseconds(value: number, name: string, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new FluxError(
    "invalid_argument",
    `${name} must be a whole number of milliseconds from ${least} to ${most}`,
  );
}

/** @throws FluxTypeError `invalid_argument` unless it is undefined or an object with the method */
export function checkMethod(value: unknown, name: string, method: string): void {
  if (value === undefined) return;
  const found = typeof value === "object" && value !== null ? (value as never)[method] : undefined;
  if (typeof found === "function") return;
  throw new FluxTypeError(
    "invalid_argument",
    `${name} must be an object with ${method}(), not ${describe(value)}`,
  );
}

/** @throws FluxTypeError `invalid_argument` unless it is undefined or an analyser, whose id names the index that it makes */
export function checkAnalyser(analyser: unknown): void {
  checkMethod(analyser, "analyser", "analyse");
  if (analyser !== undefined) checkString((analyser as { readonly id: unknown }).id, "The id of an analyser");
}

/**
 * @throws FluxTypeError `invalid_argument` unless it is a ledger, as far as can be seen
 */
export function checkLedger(store: unknown): void {
  const { append, read, update, spaces } = Object(store) as Partial<Record<keyof Ledger, unknown>>;
  const methods = [append, read, update, (Object(spaces) as Partial<Ledger["spaces"]>).list];
  if (methods.every((method) => typeof method === "function")) return;
  throw new FluxTypeError("invalid_argument", `store must be a URL or a ledger, not ${describe(store)}`, {
    hint: `Give a ledger, as openLedger makes, or one of ${ledgerUrls.join(", ")}.`,
  });
}

/** @throws FluxTypeError `invalid_argument` unless it is a moment in whole milliseconds since 1970 */
export function checkTime(value: unknown, name: string): void {
  if (timestampSchema.safeParse(value).success) return;
  throw new FluxTypeError("invalid_argument", `${name} must be a whole number of milliseconds since 1970`);
}
