import { FluxError } from "../model/errors.ts";
import type { Head } from "./driver.ts";

/**
 * Whether a partition may come to hold so much. One that is over its limit already may shrink.
 *
 * @throws FluxError `quota_exceeded`
 */
export function checkQuota(head: Head, records: number, bytes: number): void {
  const { maxRecords, maxBytes } = head.policy;
  const over =
    maxRecords !== undefined && records > maxRecords && records > head.records
      ? `${maxRecords} records`
      : maxBytes !== undefined && bytes > maxBytes && bytes > head.bytes
        ? `${maxBytes} bytes`
        : undefined;
  if (over === undefined) return;
  throw new FluxError("quota_exceeded", `The partition may hold at most ${over}`, {
    hint: "Erase or expire something first, or raise the limit with setPolicy.",
  });
}
