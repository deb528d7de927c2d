import { grainStatusSchema } from "../model/grain.ts";
import { base32, digest } from "../model/hash.ts";
import { checkId } from "../model/ids.ts";
import { canonicalJson, type Json } from "../model/json.ts";
import type { Partition } from "../model/partition.ts";
import { provenanceSchema } from "../model/record.ts";
import { decodeCursor, encodeCursor } from "../store/cursor.ts";
import { parseFilter } from "../store/filter.ts";
import type { Ledger } from "../store/ledger.ts";
import { checkChoice, checkKnown, checkLimit, checkSignal, checkTime } from "./check-options.ts";
import { fitsLabels, walkFor } from "./list-walk.ts";
import type { ListOptions, MemoryRecord, RecordPage } from "./memory-record.ts";
import { names } from "./option-names.ts";
import { readRecords, recordKinds } from "./read-record.ts";
import { recordOf } from "./record-of.ts";

/** Candidates read at a time where too few of the first ones were wanted. */
const step = 500;
/** Rows that the ledger reads at once. */
const mostRead = 1000;

/**
 * A page of the records that fulfil the conditions. Reads twice, and again for each 500 candidates where too few of the first
 * ones are wanted.
 */
export async function listRecords(
  ledger: Ledger,
  partition: Partition,
  options: ListOptions,
): Promise<RecordPage> {
  const { after, limit, signal, ...conditions } = checkList(options);
  const walk = walkFor(ledger, partition, conditions);
  const query = base32(digest(canonicalJson({ ...conditions } as Json)).subarray(0, 8));
  let place =
    after === undefined ? undefined : (decodeCursor(after, query, walk.places) as readonly number[]);
  const items: MemoryRecord[] = [];
  for (let first = true; ; first = false) {
    // The one behind the page says that there is another page.
    const missing = limit + 1 - items.length;
    const size = first || everyOneWanted(conditions) ? Math.min(missing, mostRead) : step;
    const { found, end } = await walk.next(place, size, { signal });
    const refs = found.map(({ ref }) => ref);
    const held = await readRecords(ledger, partition, refs, { signal });
    for (const [i, one] of held.entries()) {
      // It was erased between the two reads.
      if (one === undefined) continue;
      const record = recordOf(one);
      const { grainId, place: at } = found[i] ?? {};
      if (grainId !== undefined && grainId !== record.grainIds[0]) continue;
      if (!fulfils(record, conditions)) continue;
      if (items.length === limit) return { items, cursor: encodeCursor(query, place ?? []) };
      items.push(record);
      place = at;
    }
    if (end === undefined) return { items };
    place = end;
  }
}

type Conditions = Omit<ReturnType<typeof checkList>, "after" | "limit" | "signal">;

/** Whether the index and the filter leave nothing to look at. */
function everyOneWanted({ status, provenance, sessionId, agentId, from, until }: Conditions): boolean {
  const window = from !== undefined || until !== undefined;
  const labelled = sessionId !== undefined || agentId !== undefined;
  const both = sessionId !== undefined && agentId !== undefined;
  return status === undefined && provenance === undefined && !both && !(window && labelled);
}

function fulfils(record: MemoryRecord, conditions: Conditions): boolean {
  const { status, provenance } = conditions;
  return (
    (status === undefined || record.status === status) &&
    (provenance === undefined || record.provenance === provenance) &&
    fitsLabels(record, record.saidAt, conditions)
  );
}

function checkList(given: ListOptions) {
  const { limit = 50, after, signal, ...conditions } = checkKnown(given, names.list);
  const { status, kind, sessionId, agentId, provenance, from, until, filter, order } = conditions;
  checkSignal(signal);
  checkLimit(limit, "limit");
  if (status !== undefined) checkChoice(status, "status", grainStatusSchema.options);
  if (kind !== undefined) checkChoice(kind, "kind", recordKinds);
  if (provenance !== undefined) checkChoice(provenance, "provenance", provenanceSchema.options);
  if (order !== undefined) checkChoice(order, "order", ["newest", "oldest"]);
  if (sessionId !== undefined) checkId(sessionId, "sessionId");
  if (agentId !== undefined) checkId(agentId, "agentId");
  if (from !== undefined) checkTime(from, "from");
  if (until !== undefined) checkTime(until, "until");
  if (filter !== undefined) parseFilter(filter);
  // Copies: what the caller does to his objects during the call has no effect.
  return { limit, after, signal, ...structuredClone(conditions) };
}
