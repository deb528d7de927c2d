import { names as sdkNames } from "../../flux/option-names.ts";
import { optionNames } from "../../model/options.ts";
import type { GrainConditions } from "../../store/search.ts";
import type { ServiceScope } from "../service-types.ts";
import type { ClientOptions } from "./connect-flux.ts";

/** The properties that options and items may have: those of the SDK. */
export const names = {
  ...sdkNames,
  client: optionNames<ClientOptions>({
    ...{ client: true, role: true, fetch: true, timeout: true, retries: true, signal: true },
  }),
  remoteScope: optionNames<ServiceScope>({
    ...{ userId: true, namespace: true, sessionId: true, agentId: true, caller: true },
  }),
  where: optionNames<GrainConditions>({
    ...{ sessionIds: true, agentIds: true, ownerKinds: true, provenance: true },
    ...{ status: true, from: true, until: true, filter: true },
  }),
};
