import type { FactVersion } from "../model/fact.ts";

/** The two times that a question about facts has, in milliseconds. */
export interface Moments {
  /** World time: what holds then. Undefined for every interval. */
  readonly asOf: number | undefined;
  /** Record time: what was believed then. Undefined for now. */
  readonly knownAt: number | undefined;
}

/** Whether a version was believed at `knownAt` and says that something holds at `asOf`. */
export function holdsAt(version: FactVersion, { asOf, knownAt }: Moments): boolean {
  return believedAt(version, knownAt) && (asOf === undefined || validAt(version, asOf));
}

function believedAt({ recordedFrom, retiredAt }: FactVersion, knownAt: number | undefined): boolean {
  if (knownAt === undefined) return retiredAt === undefined;
  return recordedFrom <= knownAt && (retiredAt === undefined || retiredAt > knownAt);
}

/** Whether a moment lies in the time in which something holds, which is half-open. */
export function validAt({ validFrom, validUntil }: Validity, at: number): boolean {
  return (validFrom?.at ?? -Infinity) <= at && at < (validUntil?.at ?? Infinity);
}

/** The world time in which something holds. */
type Validity = Pick<FactVersion, "validFrom" | "validUntil">;
