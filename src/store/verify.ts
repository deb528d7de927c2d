import type { Partition } from "../model/partition.ts";
import { repairText } from "../model/unicode.ts";
import type { CallOptions, Driver, FindRows, RowRead } from "./driver.ts";
import { erasureReceipt } from "./erase.ts";
import { readsAround } from "./erasure-walk.ts";
import type { ErasureReport } from "./erasures.ts";
import { recordTables } from "./schema.ts";
import { systemTables } from "./system-tables.ts";
import type { Row } from "./table.ts";
import { tableOf } from "./translate.ts";

/** How many erased records are looked for in one snapshot. */
const batch = 200;

const outside = [
  "backups and copies of the store",
  "logs of the database server and of the operating system",
  "blocks that a file system or a disk keeps after they were overwritten",
  "what was already sent to a model, a client or another service",
];

/** Looks for everything that an erasure should have removed. */
export async function verify(
  driver: Driver,
  partition: Partition,
  erasure: Row,
  { probes, signal }: CallOptions & { readonly probes?: readonly string[] | undefined },
): Promise<ErasureReport> {
  const { state, id } = erasureReceipt(erasure);
  const leftovers =
    erasure.everything === true
      ? await countOlder(driver, partition, erasure.seq as number, signal)
      : await countErased(driver, partition, id, erasure.seq as number, signal);
  const texts = (probes ?? []).map(repairText).filter((text) => text !== "");
  const found = probes === undefined ? undefined : await driver.search(partition, texts, { signal });
  return {
    clean: Object.keys(leftovers).length === 0 && state === "physically_erased",
    state,
    leftovers,
    probes: found,
    outside,
  };
}

/** Rows from before an erasure of everything. */
async function countOlder(
  driver: Driver,
  partition: Partition,
  upTo: number,
  signal: AbortSignal | undefined,
): Promise<Record<string, number>> {
  const tables = [...Object.values(recordTables), systemTables.job];
  const { rows } = await driver.snapshot(
    partition,
    tables.map((table): RowRead => ({ type: "count", table, upTo })),
    { signal },
  );
  return nonZero(tables.map(({ name }, i) => [name, (rows[i]?.[0]?.count as number | undefined) ?? 0]));
}

/** Rows that still are, or point to, one of the records that the erasure marked. */
async function countErased(
  driver: Driver,
  partition: Partition,
  id: string,
  upTo: number,
  signal: AbortSignal | undefined,
): Promise<Record<string, number>> {
  // Traces leave no markers: all from before the erasure went.
  const { trace } = recordTables;
  const older = await driver.snapshot(partition, [{ type: "count", table: trace, upTo }], { signal });
  const counts = new Map([[trace.name, (older.rows[0]?.[0]?.count as number | undefined) ?? 0]]);
  let after: readonly [string, string] | undefined;
  for (;;) {
    const { rows } = await driver.snapshot(
      partition,
      [
        {
          type: "find",
          table: systemTables.marker,
          index: "byErasure",
          prefix: [id],
          limit: batch,
          ...(after === undefined ? {} : { after }),
        },
      ],
      { signal },
    );
    const markers = rows[0] ?? [];
    const reads = markers.map((marker) => [
      ...readsAround(tableOf(marker.kind), marker.id as string),
      sealsOf(marker),
    ]);
    const grainIds = markers.filter(({ kind }) => kind === "grain").map((marker) => marker.id as string);
    const around = await driver.snapshot(
      partition,
      [...reads.flat(), ...(grainIds.length > 0 ? [{ type: "indexed", grainIds } as const] : [])],
      { signal },
    );
    const [indexed] = around.rows[reads.flat().length] ?? [];
    counts.set("index", (counts.get("index") ?? 0) + ((indexed?.count as number | undefined) ?? 0));
    reads.flat().forEach(({ table }, i) => {
      // The marker itself is what an erasure leaves.
      if (table === systemTables.marker) return;
      counts.set(table.name, (counts.get(table.name) ?? 0) + (around.rows[i]?.length ?? 0));
    });
    const last = markers.at(-1);
    if (markers.length < batch || last === undefined) return nonZero([...counts]);
    after = [last.kind as string, last.id as string];
  }
}

/** What purges noted of a record. */
function sealsOf({ kind, id }: Row): FindRows {
  const prefix = [kind as string, id as string];
  return { type: "find", table: systemTables.seal, index: "byId", prefix };
}

function nonZero(counts: readonly (readonly [string, number])[]): Record<string, number> {
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
