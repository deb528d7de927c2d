import assert from "node:assert/strict";
import { FluxError } from "../../model/errors.ts";
import type { Job } from "../../model/job.ts";
import type { Partition } from "../../model/partition.ts";
import type { Append } from "../commit.ts";
import type { ClaimedJob, Ledger, Receipt } from "../ledger.ts";
import { derivedFrom, get, head, sourcesOf } from "../read.ts";
import type { Kind } from "../schema.ts";
import { commitBatch, type Expected, type ModelMutation } from "./commit-model.ts";
import { type ErasureOutcome, eraseEverything, eraseNames } from "./erasure-model.ts";
import { everyPage, everything } from "./expectations.ts";
import type { ManualClock } from "./manual-clock.ts";
import { linkName, type ModelJob, nameOf, PartitionModel } from "./partition-model.ts";
import { apply } from "./plans.ts";
import { hideNames, showNames } from "./purge-model.ts";
import { queues, RandomRequests } from "./random-batch.ts";
import type { Choices } from "./seeded-randomness.ts";

/** A call that was made before, to be repeated. */
interface Earlier {
  readonly request: Append | { readonly operation: string; readonly mutations: readonly ModelMutation[] };
  readonly receipt: Receipt<unknown>;
  readonly generation: number;
}

/** One partition with its model. */
export class RandomTenant {
  readonly model: PartitionModel;
  readonly #ledger: Ledger;
  readonly #choices: Choices;
  readonly #clock: ManualClock;
  readonly #requests: RandomRequests;
  readonly #earlier: Earlier[] = [];
  readonly #purges: string[] = [];
  /** The last job claimed here. */
  claimed: ClaimedJob | undefined;

  constructor(ledger: Ledger, partition: Partition, choices: Choices, clock: ManualClock) {
    this.model = new PartitionModel(partition);
    this.#ledger = ledger;
    this.#choices = choices;
    this.#clock = clock;
    this.#requests = new RandomRequests(this.model, choices);
  }

  async step(round: number): Promise<void> {
    this.#requests.at(this.#clock.now());
    const operation = `operation ${round}`;
    const choice = this.#choices.below(100);
    // The bigger the partition, the more goes.
    const crowded = this.model.records.size > 80;
    if (crowded && choice < 40) await this.#erase(operation, choice < 3 ? "everything" : "session");
    else if (choice < 42) await this.#append(operation);
    else if (choice < 64) await this.#update(operation);
    else if (choice < 78) await this.#find();
    else if (choice < 85) await this.#look();
    else if (choice < 88) await this.#repeat(operation);
    else if (choice < 91) await this.#purge(operation);
    else if (choice < 93) await this.#undo(operation);
    else if (choice < 97) await this.#erase(operation, "refs");
    else if (choice < 98) await this.#erase(operation, "session");
    else if (choice < 99) await this.#erase(operation, this.#choices.chance(30) ? "everything" : "refs");
    else await this.#setPolicy();
  }

  async #append(operation: string): Promise<void> {
    const { partition } = this.model;
    const [records, jobs] = [this.#requests.inserts(), this.#requests.jobs()];
    const job = this.#choices.chance(30) ? this.claimed : undefined;
    const lost = job !== undefined && !this.holds(job);
    const expected: Expected = lost
      ? { reasons: new Set(["lease_lost"]), ids: [], repaired: [] }
      : commitBatch(this.model, { operation, mutations: records, jobs, now: this.#clock.now() });
    if (job !== undefined && expected.reasons.size === 0) this.forget(job);
    // A lease that was used up or lost is tried once more at most.
    if (this.#choices.chance(60)) this.claimed = undefined;
    const request = { operation, records, jobs };
    const outcome = await settle(this.#ledger.append(partition, { ...request, job }));
    this.#compareReceipt(outcome, expected, operation);
    // A request with a job would be compared with nothing.
    if (outcome instanceof Error || job !== undefined) return;
    this.#remember({ request, receipt: outcome, generation: this.model.generation });
  }

  async #update(operation: string): Promise<void> {
    const mutations = this.#requests.mutations();
    const jobs = this.#requests.jobs();
    const expected = commitBatch(this.model, { operation, mutations, jobs, now: this.#clock.now() });
    const input = { mutations: mutations.map(written), jobs };
    const call = { operation, plan: apply, input: JSON.parse(JSON.stringify(input)) };
    const outcome = await settle(this.#ledger.update(this.model.partition, call));
    this.#compareReceipt(outcome, expected, operation);
  }

  #compareReceipt(
    outcome: Receipt<unknown> | Error,
    { reasons, ids, repaired }: Expected,
    operation: string,
  ): void {
    if (outcome instanceof Error) {
      if (!FluxError.isInstance(outcome)) throw outcome;
      assert.ok(reasons.has(outcome.code), `${operation}: ${outcome.code}, expected ${[...reasons]}`);
      return;
    }
    assert.deepEqual([...reasons], [], `${operation} should have been refused`);
    const { seq, recordedAt } = this.model;
    const { result, ...receipt } = outcome;
    assert.equal(result, undefined);
    assert.deepEqual(receipt, { operation, replayed: false, compared: true, seq, recordedAt, ids, repaired });
  }

  #remember(earlier: Earlier): void {
    this.#earlier.push(earlier);
    if (this.#earlier.length > 50) this.#earlier.shift();
  }

  /** Repeats an earlier call, or calls with its operation and another payload. */
  async #repeat(operation: string): Promise<void> {
    if (this.#earlier.length === 0) return;
    const { request, receipt, generation } = this.#choices.of(this.#earlier);
    const other = this.#choices.chance(30);
    const again = {
      ...(request as Append),
      ...(other ? { jobs: [{ queue: "q", payload: operation }] } : {}),
    };
    const outcome = await settle(this.#ledger.append(this.model.partition, again));
    const compared = generation === this.model.generation;
    if (other && compared) {
      assert.ok(FluxError.isInstance(outcome), "another payload was taken for a retry");
      assert.equal(outcome.code, "operation_conflict");
    } else if (outcome instanceof Error) throw outcome;
    else assert.deepEqual(outcome, { ...receipt, replayed: true, compared });
  }

  async #find(): Promise<void> {
    const { kind, options } = this.#requests.query();
    const found = await everyPage(this.#ledger, kind, options, this.model.partition);
    assert.deepEqual(
      found,
      this.model.find(kind, options, this.#clock.now()),
      `${kind} ${JSON.stringify(options)}`,
    );
  }

  async #look(): Promise<void> {
    const { partition, records } = this.model;
    const now = this.#clock.now();
    const names = [...records.values()];
    const { kind, id } =
      names.length > 0 && this.#choices.chance(90)
        ? this.#choices.of(names)
        : { kind: "text" as Kind, id: "e" };
    const [record, sources, derived, state] = await this.#ledger.read(
      [partition],
      [get(kind, id), sourcesOf(kind, id), derivedFrom(kind, id), head()],
    );
    const expected = records.get(nameOf({ kind, id }));
    assert.deepEqual(
      record,
      expected === undefined || this.model.isGone(expected, now) ? undefined : expected.record,
    );
    this.#compareLinks(nameOf({ kind, id }), sources, derived);
    this.#compareHead(state);
  }

  #compareLinks(
    name: string,
    sources: readonly {
      kind: string;
      id: string;
      role: string;
      start?: number | undefined;
      end?: number | undefined;
    }[],
    derived: readonly { kind: string; id: string; role: string }[],
  ): void {
    const told = sources.map(({ role, start, end, ...ref }) =>
      JSON.stringify([nameOf(ref), role, start, end]),
    );
    const known = this.model
      .sourcesOf(name)
      .map(({ source, role, start, end }) => JSON.stringify([source, role, start, end]));
    assert.deepEqual(told.sort(), known.sort(), `sources of ${name}`);
    const below = derived.map((link) => `${nameOf(link)} ${link.role}`);
    const expected = this.model.derivedFrom(name).map((link) => `${link.derived} ${link.role}`);
    assert.deepEqual(below.sort(), expected.sort(), `derived from ${name}`);
  }

  #compareHead(state: unknown): void {
    const { partition, seq, generation, recordedAt, policy, exists } = this.model;
    const expected = {
      ...{ partition, seq, generation, recordedAt, policy },
      ...this.model.account(),
      grains: this.model.grains(),
    };
    assert.deepEqual(state, exists ? expected : undefined);
  }

  async #erase(operation: string, what: "refs" | "session" | "everything"): Promise<void> {
    const now = this.#clock.now();
    const { partition, records } = this.model;
    const scope =
      what === "everything"
        ? { everything: true as const }
        : what === "session"
          ? { sessionId: this.#requests.session() }
          : { refs: this.#requests.refs() };
    let expected: ErasureOutcome;
    if ("everything" in scope) expected = eraseEverything(this.model, now);
    else if ("sessionId" in scope) {
      const labelled = [...records].filter(([, { record }]) => record.sessionId === scope.sessionId);
      expected = eraseNames(
        this.model,
        labelled.map(([name]) => name),
        { now },
      );
    } else expected = eraseNames(this.model, scope.refs.map(nameOf), { now });
    const receipt = await this.#ledger.erase(partition, { operation, ...scope });
    const { seq, recordedAt } = this.model;
    assert.deepEqual(
      { counts: receipt.counts, seq: receipt.seq, recordedAt: receipt.recordedAt },
      { counts: expected.counts, seq, recordedAt },
      `${operation} erases ${JSON.stringify(scope)}`,
    );
    const derive = await this.adoptJobs();
    assert.deepEqual(derive, expected.derive, `${operation} derives anew`);
    const { leftovers } = await this.#ledger.verify(partition, receipt.id);
    assert.deepEqual(leftovers, {});
  }

  async #purge(operation: string): Promise<void> {
    const now = this.#clock.now();
    const { partition } = this.model;
    const until = now + this.#choices.below(400);
    const sessionId = this.#requests.session();
    const scope = this.#choices.chance(10) ? { sessionId } : { refs: this.#requests.hideable() };
    const names =
      "refs" in scope
        ? scope.refs.map(nameOf)
        : [...this.model.records].flatMap(([name, { record }]) =>
            record.sessionId === sessionId ? [name] : [],
          );
    const call = { operation, until, ...scope };
    const receipt = await this.#ledger.purge(partition, call);
    const { counts, derive } = hideNames(this.model, names, { id: receipt.id, now, until });
    const { seq, recordedAt } = this.model;
    assert.deepEqual(
      receipt,
      { id: receipt.id, state: "open", until, counts, seq, recordedAt },
      `${operation} purges ${JSON.stringify(scope)}`,
    );
    await this.#left(operation, derive);
    this.#purges.push(receipt.id);
    if (this.#purges.length > 5) this.#purges.shift();
    if (this.#choices.chance(20)) assert.deepEqual(await this.#ledger.purge(partition, call), receipt);
  }

  async #undo(operation: string): Promise<void> {
    const { partition } = this.model;
    const id = this.#purges.length > 0 ? this.#choices.of(this.#purges) : "none";
    const shown = showNames(this.model, id, this.#clock.now());
    const outcome = await settle(this.#ledger.undo(partition, { purge: id, operation }));
    if (outcome instanceof Error) {
      if (!FluxError.isInstance(outcome)) throw outcome;
      assert.deepEqual([outcome.code, shown], ["not_found", undefined]);
      return;
    }
    const { seq, recordedAt } = this.model;
    const { counts, derive = [] } = shown ?? {};
    assert.deepEqual(outcome, { purge: id, seq, recordedAt, counts }, `${operation} undoes a purge`);
    await this.#left(operation, derive);
  }

  /** Compares the jobs that a purge or its undoing leaves, which may name any version of a thread that came back. */
  async #left(operation: string, derive: readonly string[]): Promise<void> {
    const anyVersion = (job: string): string =>
      job.includes("hidden") ? job : job.replace(/"id":"[^"]*"/, "");
    const left = (await this.adoptJobs()).map(anyVersion).sort();
    const expected = derive.map((payload) => anyVersion(`${this.model.generation} ${payload} <- `)).sort();
    assert.deepEqual(left, expected, `${operation} leaves jobs`);
  }

  /** Takes jobs that the ledger made by itself into the model, and describes them. */
  async adoptJobs(): Promise<string[]> {
    const { partition, jobs, links } = this.model;
    const described: string[] = [];
    for (const { id, queue, payload, seq, readyAt, generation } of await this.#listed("derive")) {
      if (jobs.has(id)) continue;
      jobs.set(id, { id, queue, payload, seq, readyAt, generation });
      const [sources] = await this.#ledger.read([partition], [sourcesOf("job", id)]);
      for (const { kind, id: source, role, start, end } of sources) {
        const link = { derived: `job ${id}`, source: nameOf({ kind, id: source }), role, start, end };
        links.set(linkName(link), link);
      }
      const from = sources.map(({ kind, id: source, role }) => `${role} ${kind} ${source}`).sort();
      described.push(`${generation} ${JSON.stringify(payload)} <- ${from}`);
    }
    return described.sort();
  }

  /** Every job of a queue, page by page. */
  async #listed(queue: string): Promise<readonly Job[]> {
    const found: Job[] = [];
    let after: string | undefined;
    do {
      const options = { queue, limit: 50, ...(after === undefined ? {} : { after }) };
      const { jobs, cursor } = await this.#ledger.jobs.list(this.model.partition, options);
      found.push(...jobs);
      after = cursor;
    } while (after !== undefined);
    return found;
  }

  async #setPolicy(): Promise<void> {
    const policy = this.#choices.of([
      {},
      {},
      { maxRecords: 60 },
      { maxBytes: 20_000 },
      { ttl: 500 },
      { maxRecords: 100, ttl: 2000 },
    ]);
    await this.#ledger.setPolicy(this.model.partition, policy);
    this.model.policy = policy;
    this.model.exists = true;
  }

  holds(job: ClaimedJob): boolean {
    const known = this.model.jobs.get(job.id);
    return known?.lease === job.lease && known.generation === this.model.generation;
  }

  /** A job that was completed. */
  forget(job: ClaimedJob): void {
    this.model.jobs.delete(job.id);
    for (const [key, link] of this.model.links)
      if (link.derived === `job ${job.id}`) this.model.links.delete(key);
  }

  /** The first job of a lane, if it is ready. */
  ready(queue: string): ModelJob | undefined {
    const [first] = [...this.model.jobs.values()]
      .filter((job) => job.queue === queue)
      .sort((a, b) => a.seq - b.seq);
    return first !== undefined && first.readyAt <= this.#clock.now() ? first : undefined;
  }

  /** Compares every record, link and job. */
  async compare(): Promise<void> {
    const { partition, jobs } = this.model;
    const now = this.#clock.now();
    const visible = this.model.visible(now);
    const all = await everything(this.#ledger, partition);
    const known: Record<string, unknown[]> = {};
    for (const { kind } of visible) known[kind] ??= this.model.find(kind, {}, now);
    assert.deepEqual(all, known);
    const reads = visible.flatMap(({ kind, id }) => [sourcesOf(kind, id), derivedFrom(kind, id)] as const);
    const results = await this.#ledger.read([partition], reads);
    visible.forEach((record, i) => {
      this.#compareLinks(nameOf(record), results[2 * i] as never, results[2 * i + 1] as never);
    });
    const [state] = await this.#ledger.read([partition], [head()]);
    this.#compareHead(state);
    for (const queue of [...queues, "derive"]) {
      const expected = [...jobs.values()].filter((job) => job.queue === queue).sort((a, b) => a.seq - b.seq);
      assert.deepEqual(
        (await this.#listed(queue)).map(({ id }) => id),
        expected.map(({ id }) => id),
      );
    }
  }
}

/** A mutation as JSON, for the plan that applies it. */
function written(mutation: ModelMutation): object {
  if (mutation.type !== "patch") return mutation;
  const removed = Object.entries(mutation.value).filter(([, value]) => value === undefined);
  return { ...mutation, removed: removed.map(([property]) => property) };
}

/** The value of a call, or the error that it rejected with. */
export async function settle<T>(call: Promise<T>): Promise<T | Error> {
  return call.catch((error: unknown) => {
    if (error instanceof Error) return error;
    throw error;
  });
}
