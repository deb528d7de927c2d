import assert from "node:assert/strict";
import type { FluxError } from "../../model/errors.ts";
import { partitionKey } from "../../model/partition.ts";
import type { Ledger } from "../ledger.ts";
import { head } from "../read.ts";
import { eraseNames } from "./erasure-model.ts";
import type { ManualClock } from "./manual-clock.ts";
import { nameOf } from "./partition-model.ts";
import { ripenPurges } from "./purge-model.ts";
import { queues } from "./random-batch.ts";
import { type RandomTenant, settle } from "./random-tenant.ts";
import type { Choices } from "./seeded-randomness.ts";

/** What concerns all partitions at once. */
export class RandomWorld {
  readonly #ledger: Ledger;
  readonly #clock: ManualClock;
  readonly #choices: Choices;
  readonly #tenants: readonly RandomTenant[];
  #cursor: string | undefined;

  constructor(ledger: Ledger, clock: ManualClock, choices: Choices, tenants: readonly RandomTenant[]) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#choices = choices;
    this.#tenants = tenants;
  }

  async step(round: number): Promise<number> {
    const choice = this.#choices.below(100);
    if (choice < 40) {
      this.#clock.advance(this.#choices.chance(10) ? -this.#choices.below(100) : this.#choices.below(60));
      return 0;
    }
    if (choice < 60) return this.#claim();
    if (choice < 80) return this.#finishJobs(round);
    if (choice < 95) return this.#follow();
    return this.#maintain();
  }

  async #claim(): Promise<number> {
    const leaseFor = 1 + this.#choices.below(100);
    const expected = this.#tenants.flatMap((tenant) =>
      queues.flatMap((queue) => {
        const job = tenant.ready(queue);
        return job === undefined ? [] : [{ tenant, job }];
      }),
    );
    const claimed = await this.#ledger.jobs.claim({ queues, leaseFor, limit: 100 });
    assert.deepEqual(
      claimed.map(({ id }) => id).sort(),
      expected.map(({ job }) => job.id).sort(),
      "jobs that are ready",
    );
    for (const job of claimed) {
      const found = expected.find((entry) => entry.job.id === job.id) ?? assert.fail();
      const { tenant, job: known } = found;
      assert.deepEqual(job.partition, tenant.model.partition);
      assert.deepEqual(job.payload, known.payload);
      const sources = tenant.model.sourcesOf(`job ${job.id}`).map(({ source }) => source);
      assert.deepEqual(job.sources.map(nameOf).sort(), sources.sort());
      Object.assign(known, {
        lease: job.lease,
        readyAt: this.#clock.now() + leaseFor,
        generation: tenant.model.generation,
      });
      tenant.claimed = job;
    }
    return 1;
  }

  async #finishJobs(round: number): Promise<number> {
    let calls = 0;
    for (const tenant of this.#tenants) {
      const job = tenant.claimed;
      if (job === undefined || this.#choices.chance(30)) continue;
      calls += 1;
      const known = tenant.model.jobs.get(job.id);
      if (this.#choices.chance(70)) {
        const held = tenant.holds(job);
        const outcome = await settle(this.#ledger.jobs.complete(job));
        assert.equal(
          outcome instanceof Error ? (outcome as FluxError).code : "done",
          held ? "done" : "lease_lost",
        );
        if (held) tenant.forget(job);
      } else {
        // An erasure does not keep a job from being given back.
        const held = known !== undefined && known.lease === job.lease;
        const delay = this.#choices.below(100);
        const outcome = await settle(this.#ledger.jobs.fail(job, { error: `round ${round}`, delay }));
        assert.equal(
          outcome instanceof Error ? (outcome as FluxError).code : "done",
          held ? "done" : "lease_lost",
        );
        if (held) {
          delete known.lease;
          known.readyAt = this.#clock.now() + delay;
        }
      }
    }
    return calls;
  }

  /** Reads the change feed to its end and compares it with what was done since the last time. */
  async #follow(): Promise<number> {
    const seen = await this.#drain();
    for (const { model } of this.#tenants) {
      const told = seen.get(partitionKey(model.partition)) ?? [];
      // Changes before an erasure of everything may be there or not.
      const last = told.lastIndexOf("erase_all partition ");
      const since = last < 0 ? told : told.slice(last);
      const forgot = model.changes.findLastIndex(({ items }) => items[0] === "erase_all partition ");
      let at = 0;
      for (const { items, ordered } of forgot < 0 ? model.changes : model.changes.slice(forgot)) {
        const part = since.slice(at, at + items.length);
        at += items.length;
        assert.deepEqual(
          ordered ? part : part.sort(),
          ordered ? items : items.toSorted(),
          `changes of ${partitionKey(model.partition)}`,
        );
      }
      assert.equal(since.length, at, "the feed tells of more than was done");
      model.changes = [];
    }
    return 1;
  }

  async #drain(): Promise<ReadonlyMap<string, string[]>> {
    const seen = new Map<string, string[]>();
    const last = new Map<string, number>();
    for (;;) {
      const step = await this.#ledger.changes.read({
        after: this.#cursor,
        limit: 1 + this.#choices.below(300),
      });
      this.#cursor = step.cursor;
      if (step.changes.length === 0) return seen;
      for (const { partition, seq, kind, id, operation } of step.changes) {
        const key = partitionKey(partition);
        assert.ok(seq > (last.get(key) ?? 0), "changes of a partition are out of order");
        last.set(key, seq);
        const told = seen.get(key) ?? [];
        told.push(`${operation} ${kind} ${id}`);
        seen.set(key, told);
      }
    }
  }

  async #maintain(): Promise<number> {
    await this.#follow();
    const now = this.#clock.now();
    const { expired, errors } = await this.#ledger.maintain();
    assert.deepEqual(errors, []);
    let gone = 0;
    const expected = new Map<string, string[]>();
    for (const tenant of this.#tenants) {
      const { model } = tenant;
      const due = [...model.records].flatMap(([name, record]) =>
        model.isExpired(record, now) && !model.isHidden(name) ? [name] : [],
      );
      const told: string[] = [];
      if (due.length > 0) {
        const { counts } = eraseNames(model, due, { now, expired: true });
        for (const count of Object.values(counts)) gone += count;
        told.push(...(model.changes.at(-1)?.items ?? []));
      }
      const ripened = ripenPurges(model, now);
      if (due.length === 0 && !ripened.touched) continue;
      gone += ripened.gone;
      told.push(...ripened.changes);
      model.changes = [];
      expected.set(partitionKey(model.partition), told);
      // In how many steps it went is up to the ledger, and with it the numbers and the jobs.
      await tenant.adoptJobs();
      const [state] = await this.#ledger.read([model.partition], [head()]);
      assert.ok(state);
      assert.equal(state.generation, model.generation, "what expired overtook something");
      model.seq = state.seq;
    }
    // A job to derive anew may come with one kind that expires and go with the next, and counts then.
    assert.ok(expired >= gone, `${expired} rows expired rather than ${gone}`);
    if (gone === 0) assert.equal(expired, 0);
    const told = await this.#drain();
    for (const [key, items] of expected)
      assert.deepEqual(lastOf(told.get(key) ?? []), lastOf(items), "changes of what expired");
    return 1;
  }

  async compare(): Promise<void> {
    await this.#follow();
    for (const tenant of this.#tenants) await tenant.compare();
    const there = this.#tenants
      .filter(({ model }) => model.exists)
      .map(({ model }) => partitionKey(model.partition));
    const { partitions: listed } = await this.#ledger.partitions();
    assert.deepEqual(listed.map(partitionKey).sort(), there.sort());
  }
}

/** What survived one kind that expired may have gone with the next. */
function lastOf(items: readonly string[]): readonly string[] {
  const known = new Set(items);
  return [...known]
    .filter((item) => !known.has(item.replace(/^update /, "delete ")) || !item.startsWith("update "))
    .sort();
}
