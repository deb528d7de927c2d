import type { Entity } from "../facts/entities.ts";
import type { EntityType } from "../facts/entity-types.ts";
import type { FactDegradation } from "../facts/facts.ts";
import type { CallOptions } from "../store/driver.ts";

export interface EntityListOptions {
  readonly type?: EntityType | undefined;
  /** Part of a name or an alias. */
  readonly q?: string | undefined;
  /** Entities in the page, 1 to 1,000. Default 50. */
  readonly limit?: number | undefined;
  /** Cursor of the page before. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface EntityPage {
  readonly items: readonly Entity[];
  /** Where to go on; absent on the last page. */
  readonly cursor?: string;
  /** Present when something may be missing. */
  readonly degraded?: readonly FactDegradation[];
}

export interface EntityContextOptions extends CallOptions {
  /** Tokens that the text may have at most. What does not fit is left out, and the text says so. Default 1,000. */
  readonly maxTokens?: number | undefined;
}
