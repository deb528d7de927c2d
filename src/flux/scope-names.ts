import { optionNames } from "../model/options.ts";
import type { ScopeOptions } from "./scope.ts";

/** The properties that a scope may have. */
export const scopeNames = optionNames<ScopeOptions>({
  userId: true,
  sessionId: true,
  agentId: true,
  namespace: true,
  caller: true,
});
