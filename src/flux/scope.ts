import { checkId } from "../model/ids.ts";
import { type Partition, partition } from "../model/partition.ts";
import { checkKnown } from "./check-options.ts";
import { scopeNames } from "./scope-names.ts";

/** Whose memory it is, and the labels that what is stored gets. */
export interface ScopeOptions {
  /** `null` is the anonymous user of the namespace. */
  readonly userId: string | null;
  /** Session of the messages and texts that are stored. Recall searches all sessions unless `where` says otherwise. */
  readonly sessionId?: string | undefined;
  /** Agent that stores and asks. Recall searches what all agents stored unless `where` says otherwise. */
  readonly agentId?: string | undefined;
  /** Default "default". */
  readonly namespace?: string | undefined;
  /** Who calls, to whom feedback is bound: "client:role", such as "my-bot:chat". Default: nobody in particular. */
  readonly caller?: string | undefined;
}

export interface Scope {
  readonly partition: Partition;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  readonly caller: string | undefined;
}

/** @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id`, `invalid_user_id` */
export function scopeOf(options: ScopeOptions): Scope {
  const { userId, namespace, sessionId, agentId, caller } = checkKnown(options, scopeNames, "A scope");
  return {
    partition: partition({ userId, ...(namespace === undefined ? {} : { namespace }) }),
    sessionId: sessionId === undefined ? undefined : checkId(sessionId, "sessionId"),
    agentId: agentId === undefined ? undefined : checkId(agentId, "agentId"),
    caller: caller === undefined ? undefined : checkId(caller, "caller"),
  };
}
