import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { checkId, randomId } from "../model/ids.ts";
import type { Stored } from "../model/record.ts";
import type { Trace } from "../model/trace.ts";
import { find, get } from "../store/read.ts";
import { checkBoolean, checkKnown, checkLimit, checkSignal, checkTime } from "./check-options.ts";
import { feedbackPlan } from "./feedback-plan.ts";
import type {
  FeedbackItem,
  FeedbackResult,
  PendingFeedback,
  PendingOptions,
  WriteOptions,
} from "./flux-memory.ts";
import type { FluxParts } from "./open-flux.ts";
import { names } from "./option-names.ts";
import type { Scope } from "./scope.ts";

const maxItems = 1000;
/** Traces looked at in one read. */
const page = 100;

const statuses = ["recorded", "unchanged", "changed"] as const;

/** Records feedback of the scope's caller in one commit. */
export async function giveFeedback(
  parts: FluxParts,
  { partition, caller }: Scope,
  given: readonly FeedbackItem[],
  { operation = randomId(parts.randomness), signal }: WriteOptions,
): Promise<readonly FeedbackResult[]> {
  const items = checkItems(given);
  checkId(operation, "operation");
  checkSignal(signal);
  if (items.length === 0) return [];
  await parts.traces.flush(partition);
  const input = {
    caller: caller ?? null,
    items: items.map(({ traceId, grainId, useful }) => [traceId, grainId, useful] as const),
  };
  const call = { operation, plan: feedbackPlan, input };
  const { result } = await parts.ledger.update(partition, call, { signal });
  if (result === undefined) {
    throw new FluxError("erased", "This feedback was given before, and an erasure since then took its trace");
  }
  return items.map((item, i) => ({ ...item, status: statuses[result[i] ?? 0] }));
}

function checkItems(items: readonly FeedbackItem[]): readonly FeedbackItem[] {
  if (!Array.isArray(items))
    throw new FluxTypeError("invalid_argument", `items must be a list, not ${describe(items)}`);
  if (items.length > maxItems) {
    throw new FluxError("too_large", `A batch of feedback has at most ${maxItems} items`);
  }
  return Array.from(items, (item: FeedbackItem) => {
    const { traceId, grainId, useful } = checkKnown(item, names.feedbackItem, "Feedback");
    checkId(traceId, "traceId");
    checkId(grainId, "grainId");
    checkBoolean(useful, "useful");
    return { traceId, grainId, useful };
  });
}

/** Recalls of the scope's caller that have hits without feedback, the oldest first. */
export async function pendingFeedback(
  parts: FluxParts,
  scope: Scope,
  options: PendingOptions,
): Promise<readonly PendingFeedback[]> {
  const { since, limit = 100, signal } = checkKnown(options, names.pending);
  checkSignal(signal);
  checkLimit(limit, "limit");
  if (since !== undefined) checkTime(since, "since");
  const { ledger, traces } = parts;
  // What can be read is told even where nothing can be written, such as on a disk that is full.
  await traces.flush(scope.partition).catch(() => undefined);
  const pending: PendingFeedback[] = [];
  for (let after: string | undefined; ; ) {
    const op = find("trace", {
      ...{ index: "byCaller", prefix: [scope.caller ?? null, null], limit: page, after },
      ...(since === undefined ? {} : { range: { gte: since } }),
    });
    const [{ items, cursor }] = await ledger.read([scope.partition], [op], { signal });
    pending.push(...(await pendingOf(parts, scope, items, signal)));
    if (pending.length >= limit || cursor === undefined) return pending.slice(0, limit);
    after = cursor;
  }
}

async function pendingOf(
  { ledger }: FluxParts,
  { partition, caller }: Scope,
  traces: readonly Stored<Trace>[],
  signal: AbortSignal | undefined,
): Promise<PendingFeedback[]> {
  const given = await ledger.read(
    [partition],
    traces.map(({ id }) => find("feedback", { index: "byTrace", prefix: [id], limit: 1000 })),
    { signal },
  );
  const open = traces.flatMap((trace, i) => {
    const rows = given[i]?.items ?? [];
    const done = new Set(rows.flatMap((row) => (row.caller === caller ? [row.grainId] : [])));
    const grainIds = trace.hits.map(({ grainId }) => grainId).filter((id) => !done.has(id));
    return grainIds.length === 0 ? [] : [{ trace, grainIds }];
  });
  // What is hidden or was taken out of its text meanwhile can have no feedback.
  const asked = [...new Set(open.flatMap(({ grainIds }) => grainIds))];
  const grains = await ledger.read(
    [partition],
    asked.map((id) => get("grain", id)),
    { signal },
  );
  const there = new Set(grains.flatMap((grain) => (grain === undefined ? [] : [grain.id])));
  return open.flatMap(({ trace: { id, query, recordedAt, hits }, grainIds }) => {
    const left = grainIds.filter((grainId) => there.has(grainId));
    if (left.length === 0) return [];
    return [{ traceId: id, query, askedAt: recordedAt, hits: hits.length, grainIds: left }];
  });
}
