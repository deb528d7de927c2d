import type { NewJob } from "../model/job.ts";
import { optionNames } from "../model/options.ts";
import type { Source } from "../model/record.ts";
import type { Insert, Patch, Remove } from "./batch.ts";
import type { Append } from "./commit.ts";
import type { CallOptions } from "./driver.ts";
import type { LedgerOptions } from "./engine.ts";
import type { FollowOptions } from "./follow.ts";
import type { Changes, Jobs, Ledger, PartitionPolicy, UpdateCall } from "./ledger.ts";
import type { AnyPlan, Decision } from "./plan.ts";
import type { DerivedOp, FindOp, GetOp, HeadOp, SourcesOp } from "./read.ts";
import type { AroundOp, GrainEntries, IndexEntry, MatchOp, NearestOp, Spaces } from "./search.ts";
import type { WorkOptions } from "./work.ts";

type Options<F extends (...args: never[]) => unknown, At extends number> = NonNullable<Parameters<F>[At]>;

/** What may be in the objects that a ledger is given: anything else is refused, see `checkNames`. */
export const names = {
  ledger: optionNames<LedgerOptions>({ clock: true, randomness: true, changeRetention: true }),
  call: optionNames<CallOptions>({ signal: true }),
  append: optionNames<Append>({ operation: true, records: true, jobs: true, job: true, spaces: true }),
  update: optionNames<UpdateCall<AnyPlan>>({
    operation: true,
    plan: true,
    input: true,
    aside: true,
    job: true,
  }),
  decision: optionNames<Decision<null>>({ mutations: true, jobs: true, spaces: true, result: true }),
  index: optionNames<Options<Ledger["index"], 1>>({ grains: true, spaces: true }),
  partitions: optionNames<Options<Ledger["partitions"], 0>>({ after: true, limit: true, signal: true }),
  policy: optionNames<PartitionPolicy>({ maxRecords: true, maxBytes: true, ttl: true }),
  purge: optionNames<Options<Ledger["purge"], 1>>({
    operation: true,
    until: true,
    refs: true,
    sessionId: true,
  }),
  undo: optionNames<Options<Ledger["undo"], 1>>({ purge: true, operation: true }),
  verify: optionNames<Options<Ledger["verify"], 2>>({ probes: true, signal: true }),
  changesRead: optionNames<Options<Changes["read"], 0>>({ after: true, limit: true, signal: true }),
  changesWait: optionNames<Options<Changes["wait"], 0>>({ timeout: true, signal: true }),
  claim: optionNames<Options<Jobs["claim"], 0>>({ queues: true, leaseFor: true, limit: true, signal: true }),
  fail: optionNames<Options<Jobs["fail"], 1>>({ error: true, delay: true, dead: true, signal: true }),
  jobs: optionNames<Options<Jobs["list"], 1>>({
    queue: true,
    dead: true,
    limit: true,
    after: true,
    signal: true,
  }),
  jobCount: optionNames<Options<Jobs["count"], 0>>({ queues: true, signal: true }),
  space: optionNames<Options<Spaces["declare"], 0>>({
    kind: true,
    maker: true,
    dimensions: true,
    state: true,
  }),
  job: optionNames<NewJob>({ queue: true, payload: true, sources: true, delay: true, maxAttempts: true }),
  source: optionNames<Source>({ kind: true, id: true, role: true, start: true, end: true }),
  entry: optionNames<IndexEntry>({ space: true, terms: true, vector: true }),
  entries: optionNames<GrainEntries>({ grainId: true, entries: true, updatedSeq: true }),
  follow: optionNames<FollowOptions>({ after: true, limit: true, interval: true, signal: true }),
  work: optionNames<WorkOptions>({
    handlers: true,
    concurrency: true,
    leaseFor: true,
    interval: true,
    once: true,
    signal: true,
    onError: true,
  }),
};

export const mutationNames = {
  insert: optionNames<Insert>({ type: true, kind: true, value: true, id: true, sources: true, index: true }),
  patch: optionNames<Patch>({
    ...{ type: true, kind: true, id: true, value: true, sources: true, dropped: true, index: true },
  }),
  remove: optionNames<Remove>({ type: true, kind: true, id: true }),
};

export const readNames = {
  get: optionNames<GetOp>({ type: true, kind: true, id: true }),
  find: optionNames<FindOp>({
    type: true,
    kind: true,
    index: true,
    prefix: true,
    range: true,
    reverse: true,
    filter: true,
    after: true,
    limit: true,
  }),
  sources: optionNames<SourcesOp>({ type: true, kind: true, id: true }),
  derived: optionNames<DerivedOp>({ type: true, kind: true, id: true }),
  head: optionNames<HeadOp>({ type: true }),
  match: optionNames<MatchOp>({ type: true, space: true, terms: true, limit: true, where: true }),
  nearest: optionNames<NearestOp>({ type: true, space: true, vector: true, limit: true, where: true }),
  around: optionNames<AroundOp>({ type: true, grains: true, reach: true }),
};
