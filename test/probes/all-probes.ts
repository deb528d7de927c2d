import { changeProbes } from "./changes.ts";
import { dateProbes } from "./dates.ts";
import type { Probe } from "./probe.ts";
import { textProbes } from "./texts.ts";
import { wrongTenantProbes } from "./wrong-tenant.ts";

/** Every probe, by what it is about. */
export const allProbes: Readonly<Record<string, readonly Probe[]>> = {
  "wrong tenant": wrongTenantProbes,
  dates: dateProbes,
  texts: textProbes,
  changes: changeProbes,
};
