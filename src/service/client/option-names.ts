import { names as sdkNames } from "../../flux/option-names.ts";
import { optionNames } from "../../model/options.ts";
import type { GrainConditions } from "../../store/search.ts";
import { scopeNames } from "../scope-names.ts";
import type { ClientOptions } from "./connect-flux.ts";

/** The properties that options and items may have: those of the SDK. */
export const names = {
  ...sdkNames,
  client: optionNames<ClientOptions>({
    ...{ client: true, role: true, fetch: true, timeout: true, retries: true, signal: true },
  }),
  scope: scopeNames,
  where: optionNames<GrainConditions>({
    ...{ sessionIds: true, agentIds: true, ownerKinds: true, provenance: true },
    ...{ status: true, from: true, until: true, filter: true },
  }),
};
