import { type GrainStatus, grainStatusSchema } from "../model/grain.ts";
import { recordTables } from "./schema.ts";
import { sealedMoment } from "./system-tables.ts";
import type { Row, Table } from "./table.ts";

/** How many grains a partition has in each status. */
export type GrainCounts = Readonly<Record<GrainStatus, number>>;

export const noGrains: GrainCounts = { active: 0, dormant: 0, quarantined: 0, archived: 0 };

/** Counts on while rows come, change and go. Grains that purges hide count for nothing. */
export class GrainTally {
  readonly #counts: Record<GrainStatus, number>;

  constructor(counts: GrainCounts) {
    this.#counts = { ...counts };
  }

  get counts(): GrainCounts {
    return this.#counts;
  }

  /** @param before the row as it was, with its status and `expiresAt`; undefined when there was none, as `after` when it goes */
  replace(table: Table, before: Row | undefined, after: Row | undefined): void {
    if (table !== recordTables.grain) return;
    this.#add(before, -1);
    this.#add(after, 1);
  }

  clear(): void {
    for (const status of grainStatusSchema.options) this.#counts[status] = 0;
  }

  #add(row: Row | undefined, change: 1 | -1): void {
    if (row !== undefined && row.expiresAt !== sealedMoment)
      this.#counts[row.status as GrainStatus] += change;
  }
}
