import { optionNames } from "../model/options.ts";
import type { ServiceScope } from "./service-types.ts";

/** The properties that a scope may have. */
export const scopeNames = optionNames<ServiceScope>({
  ...{ userId: true, namespace: true, sessionId: true, agentId: true, caller: true },
});
