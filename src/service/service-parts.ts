import type { Clock } from "../model/clock.ts";
import type { Config } from "./config.ts";
import type { EventHub } from "./event-hub.ts";
import type { FeedbackDebt } from "./feedback-debt.ts";
import type { OpenCalls } from "./open-calls.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { ReadSlots } from "./read-slots.ts";
import type { ServiceEvent } from "./service-types.ts";
import type { WriteBacklog } from "./write-backlog.ts";

/** What the memories of one service share. */
export interface ServiceParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly calls: OpenCalls;
  readonly reads: ReadSlots;
  readonly writes: WriteBacklog;
  readonly limiter: RateLimiter;
  /** Undefined when feedback is not enforced. */
  readonly debt: FeedbackDebt | undefined;
  readonly events: EventHub<ServiceEvent>;
}
