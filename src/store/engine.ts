import { type Clock, presentOf, systemClock } from "../model/clock.ts";
import { FluxError, FluxTypeError } from "../model/errors.ts";
import { base32, digest } from "../model/hash.ts";
import { checkId, operationKey, type Randomness, randomId, systemRandomness } from "../model/ids.ts";
import { canonicalJson, copyJson, type Json, repairJson } from "../model/json.ts";
import { nodeProblem } from "../model/node-version.ts";
import { checkNames } from "../model/options.ts";
import { partition as checkPartition, type Partition, partitionKey } from "../model/partition.ts";
import { checkLease, checkLimit, checkObject, checkPlan, checkPolicy, checkSignal } from "./checks.ts";
import { type Append, type CommitRequest, commit, type DecisionContext } from "./commit.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { CallOptions, Driver, Head, Transaction } from "./driver.ts";
import { noGrains } from "./grain-counts.ts";
import { checkGrainEntries, indexGrains } from "./index-entries.ts";
import type {
  Capabilities,
  Changes,
  Jobs,
  Ledger,
  MaintenanceReport,
  PartitionPolicy,
  Receipt,
  UpdateCall,
} from "./ledger.ts";
import { LedgerChanges } from "./ledger-changes.ts";
import { LedgerErasures } from "./ledger-erasures.ts";
import { LedgerJobs } from "./ledger-jobs.ts";
import { LedgerPurges } from "./ledger-purges.ts";
import { LedgerSpaces } from "./ledger-spaces.ts";
import type { LedgerTools } from "./ledger-tools.ts";
import { maintain } from "./maintain.ts";
import { names } from "./option-names.ts";
import type { AnyPlan, PlanContext, PlanResult } from "./plan.ts";
import { type PreparedBatch, prepareBatch } from "./prepared-batch.ts";
import type { ReadOp, ReadResults } from "./read.ts";
import type { Spaces } from "./search.ts";
import { maxPage, translateReads } from "./translate.ts";

export interface LedgerOptions {
  /** Default: the system's clock. */
  readonly clock?: Clock | undefined;
  /** Random bytes for salts and leases. Default: the platform's secure source. */
  readonly randomness?: Randomness | undefined;
  /** Milliseconds for which the change feed is kept. Default 7 days. */
  readonly changeRetention?: number | undefined;
}

const emptyHead = {
  ...{ seq: 0, generation: 0, recordedAt: 0, records: 0, bytes: 0 },
  ...{ grains: noGrains, policy: {} },
} as const;

const week = 7 * 24 * 3_600_000;

/** Makes a ledger of a driver. All behaviour that does not depend on the store is here, and so the same for every adapter. */
export function createLedger(driver: Driver, options: LedgerOptions = {}): Ledger {
  // An older one lacks what some calls need: they would fail one by one, and recalls go on without meaning.
  const problem = nodeProblem(globalThis.process?.versions.node);
  if (problem !== undefined) throw problem;
  return new DriverLedger(driver, options);
}

class DriverLedger implements Ledger {
  readonly changes: Changes;
  readonly jobs: Jobs;
  readonly spaces: Spaces;
  readonly #erasures: LedgerErasures;
  readonly #purges: LedgerPurges;
  readonly #driver: Driver;
  readonly #clock: Clock;
  readonly #randomness: Randomness;
  readonly #changeRetention: number;
  // Calls of several steps, which close() lets come to their end.
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(driver: Driver, given: LedgerOptions) {
    checkNames(given, "options", names.ledger);
    const { clock = systemClock, randomness = systemRandomness, changeRetention = week } = given;
    this.#driver = driver;
    this.#clock = clock;
    this.#randomness = randomness;
    this.#changeRetention = changeRetention;
    this.changes = new LedgerChanges((options) => this.#open(options));
    this.spaces = new LedgerSpaces((options) => this.#open(options));
    const tools: LedgerTools = {
      open: (options) => this.#open(options),
      finish: (options, steps) => this.#finish(options, steps),
      now: () => this.#now(),
      transact: (partition, transaction, options) => {
        this.#open(options);
        return this.#transact(partition, transaction, options);
      },
    };
    this.#erasures = new LedgerErasures(driver, {
      ...tools,
      transact: (partition, transaction, options) => this.#transact(partition, transaction, options),
      salt: () => this.#salt(),
    });
    this.#purges = new LedgerPurges(tools);
    this.jobs = new LedgerJobs({
      ...tools,
      closing: () => this.#closed !== undefined,
      lease: () => randomId(this.#randomness),
    });
  }

  async capabilities(options?: CallOptions): Promise<Capabilities> {
    return this.#open(options).capabilities();
  }

  async append(partition: Partition, request: Append, options?: CallOptions): Promise<Receipt> {
    const { operation, records, jobs = [], job, spaces } = checkObject(request, "request", names.append);
    if (!Array.isArray(records) || records.some((record) => record?.type !== "insert")) throw noInserts();
    if (job !== undefined) checkLease(job);
    const checked = checkPartition(partition);
    const key = operationKey(checked, checkId(operation, "operation"));
    const batch = prepareBatch(key, records, jobs, spaces);
    if (batch.mutations.some(({ type }) => type !== "insert")) throw noInserts();
    // The prepared rows are copies: what the caller does to his objects from here on has no effect. Their columns are in
    // the order of the schema, so that equal records are equal text.
    const payload = JSON.stringify([batch.mutations.map(mutationPayload), batch.jobs]);
    return this.#commit(
      checked,
      { operation, key, payload, content: batch, job },
      options,
    ) as Promise<Receipt>;
  }

  async update<P extends AnyPlan>(
    partition: Partition,
    call: UpdateCall<P>,
    options?: CallOptions,
  ): Promise<Receipt<PlanResult<P>>> {
    const { operation, input, aside, job } = checkObject(call, "call", names.update);
    const plan = checkPlan(call.plan);
    if (job !== undefined) checkLease(job);
    const checked = checkPartition(partition);
    const key = operationKey(checked, checkId(operation, "operation"));
    const copied = copyJson(input);
    if (copied.problem !== undefined)
      throw new FluxTypeError("invalid_argument", `The plan's input ${copied.problem}`);
    const copy = repairJson(copied.copy);
    const content = {
      reads: plan.reads(copy, aside),
      readsNext: (rows: readonly unknown[]) =>
        plan.readsNext?.(copy, rows as ReadResults<readonly ReadOp[]>, aside) ?? [],
      decide: (rows: readonly unknown[], context: DecisionContext) =>
        plan.decide(
          copy,
          rows as ReadResults<readonly ReadOp[]>,
          { ...context, aside } as PlanContext<unknown, readonly ReadOp[]>,
        ),
    };
    const payload = canonicalJson({ plan: plan.name, input: copy });
    return this.#commit(checked, { operation, key, payload, content, job }, options) as Promise<
      Receipt<PlanResult<P>>
    >;
  }

  #commit(
    checked: Partition,
    { payload, ...request }: Omit<CommitRequest, "digest" | "now"> & { readonly payload: string },
    options: CallOptions | undefined,
  ): Promise<Receipt<Json | undefined>> {
    this.#open(options);
    const { job } = request;
    // A copy, like everything else of the request.
    const lease = job && { id: job.id, lease: job.lease, behind: [...(job.behind ?? [])] };
    const transaction = commit({ ...request, job: lease, digest: base32(digest(payload)), now: this.#now() });
    return this.#transactIn(checked, transaction, options);
  }

  async read<const Ops extends readonly ReadOp[]>(
    partitions: readonly [Partition],
    ops: Ops,
    options?: CallOptions,
  ): Promise<ReadResults<Ops>> {
    if (!Array.isArray(partitions) || partitions.length !== 1) {
      throw new FluxError("invalid_argument", "read takes a list of exactly one partition");
    }
    const reads = translateReads(ops, this.#now());
    const { head, rows } = await this.#open(options).snapshot(
      checkPartition(partitions[0]),
      reads.flatMap(({ read }) => (read === undefined ? [] : [read])),
      { signal: options?.signal, head: reads.some(({ read }) => read === undefined) },
    );
    let next = 0;
    return reads.map(({ read, result }) =>
      result(read === undefined ? [] : (rows[next++] ?? []), head),
    ) as ReadResults<Ops>;
  }

  async index(
    partition: Partition,
    request: Parameters<Ledger["index"]>[1],
    options?: CallOptions,
  ): Promise<number> {
    const { grains, spaces } = checkObject(request, "request", names.index);
    const checked = checkGrainEntries(grains, spaces);
    this.#open(options);
    return this.#transact(partition, indexGrains(checked, [...spaces], this.#now()), options);
  }

  async partitions(options?: Parameters<Ledger["partitions"]>[0]): ReturnType<Ledger["partitions"]> {
    const { after, limit = maxPage, signal } = checkObject(options ?? {}, "options", names.partitions);
    const [last] = after === undefined ? [] : decodeCursor(after, "partitions", ["string"]);
    const found = await this.#open({ signal }).partitions(last as string | undefined, checkLimit(limit) + 1, {
      signal,
    });
    const partitions = found.slice(0, limit);
    const end = partitions.at(-1);
    const more = found.length > limit && end !== undefined;
    return { partitions, ...(more ? { cursor: encodeCursor("partitions", [partitionKey(end)]) } : {}) };
  }

  async setPolicy(partition: Partition, policy: PartitionPolicy, options?: CallOptions): Promise<void> {
    const checked = checkPolicy(policy);
    this.#open(options);
    return this.#transact(
      partition,
      // biome-ignore lint/correctness/useYield: a transaction is a generator, and this one has nothing to read
      function* (head) {
        return { head: { ...head, policy: checked }, writes: [], changes: [], value: undefined };
      },
      options,
    );
  }

  erase: Ledger["erase"] = async (...args) => this.#erasures.erase(...args);
  erasure: Ledger["erasure"] = async (...args) => this.#erasures.erasure(...args);
  verify: Ledger["verify"] = async (...args) => this.#erasures.verify(...args);
  purge: Ledger["purge"] = async (...args) => this.#purges.purge(...args);
  undo: Ledger["undo"] = async (...args) => this.#purges.undo(...args);
  purged: Ledger["purged"] = async (...args) => this.#purges.purged(...args);

  async maintain(options?: CallOptions): Promise<MaintenanceReport> {
    const tools = {
      now: () => this.#now(),
      key: () => randomId(this.#randomness),
      salt: () => this.#salt(),
      changeRetention: this.#changeRetention,
      transact: <T>(partition: Partition, transaction: Transaction<T>) =>
        this.#transact(partition, transaction, options),
      clean: (partition: Partition, id: string, mark: string) =>
        this.#erasures.clean(partition, id, options, mark),
      signal: options?.signal,
    };
    return this.#finish(options, () => maintain(this.#driver, tools));
  }

  #transact<T>(partition: Partition, transaction: Transaction<T>, options?: CallOptions): Promise<T> {
    return this.#transactIn(checkPartition(partition), transaction, options);
  }

  #transactIn<T>(checked: Partition, transaction: Transaction<T>, options?: CallOptions): Promise<T> {
    const fresh = (): Head => ({ ...emptyHead, partition: checked, salt: this.#salt() });
    return this.#driver.transact(checked, fresh, transaction, options);
  }

  #salt(): string {
    return Array.from(this.#randomness.bytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  #now(): number {
    return presentOf(this.#clock);
  }

  #open(options?: CallOptions): Driver {
    if (this.#closed !== undefined) throw new FluxError("closed", "The ledger was closed");
    if (options !== undefined) {
      checkSignal(checkObject(options, "options", names.call).signal)?.throwIfAborted();
    }
    return this.#driver;
  }

  /** Runs a call of several steps to its end, even when the ledger is closed meanwhile. */
  async #finish<T>(options: CallOptions | undefined, steps: () => Promise<T>): Promise<T> {
    this.#open(options);
    const running = steps();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#running).then(() => this.#driver.close());
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function noInserts(): FluxError {
  return new FluxTypeError("invalid_argument", "records must be a list of inserts", {
    hint: "Make them with insert; to change records, use update with a plan.",
  });
}

/** What tells one mutation from another in an operation's fingerprint. */
function mutationPayload(mutation: PreparedBatch["mutations"][number]): unknown {
  const { table, links, id } = mutation;
  return [
    mutation.type,
    table.name,
    id,
    links,
    mutation.type === "insert" ? { ...mutation.content.row, ...mutation.content.canonical } : mutation.value,
  ];
}
