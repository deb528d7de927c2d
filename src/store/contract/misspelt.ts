import assert from "node:assert/strict";
import { partition } from "../../model/partition.ts";
import { insert } from "../batch.ts";
import { followChanges } from "../follow.ts";
import type { ClaimedJob, Ledger } from "../ledger.ts";
import { find, get, head, sourcesOf } from "../read.ts";
import { work } from "../work.ts";
import { alice, canary, each, headOf, rejects } from "./expectations.ts";
import { decideAs, findOrInsert } from "./plans.ts";
import { note } from "./samples.ts";
import { group, test } from "./suite.ts";

/** Calls with one name that is not known, and the one that was meant. */
const calls: Readonly<
  Record<
    string,
    { readonly meant: string; readonly call: (ledger: Ledger, extra: object) => Promise<unknown> }
  >
> = {
  "append's request": {
    meant: "records",
    call: (ledger, extra) => ledger.append(alice, { operation: "o", records: [], ...extra }),
  },
  "append's options": {
    meant: "signal",
    call: (ledger, extra) => ledger.append(alice, { operation: "o", records: [] }, extra),
  },
  "an insert": {
    meant: "sources",
    call: (ledger, extra) =>
      ledger.append(alice, { operation: "o", records: [insert("text", note("").value, extra)] }),
  },
  "a source": {
    meant: "role",
    call: (ledger, extra) => {
      const source = { kind: "text", id: "t", ...extra };
      const records = [insert("text", note("").value, { sources: [source] })];
      return ledger.append(alice, { operation: "o", records });
    },
  },
  "a new job": {
    meant: "maxAttempts",
    call: (ledger, extra) =>
      ledger.append(alice, { operation: "o", records: [], jobs: [{ queue: "q", ...extra }] }),
  },
  "update's call": {
    meant: "input",
    call: (ledger, extra) =>
      ledger.update(alice, { operation: "o", plan: findOrInsert, input: { content: "" }, ...extra } as never),
  },
  "a decision": {
    meant: "mutations",
    call: (ledger, extra) =>
      ledger.update(alice, { operation: "o", plan: decideAs, input: { decision: extra } as never }),
  },
  "a get": {
    meant: "kind",
    call: (ledger, extra) => ledger.read([alice], [{ ...get("text", "t"), ...extra }]),
  },
  "a find": { meant: "limit", call: (ledger, extra) => ledger.read([alice], [find("text", extra)]) },
  "a read of sources": {
    meant: "id",
    call: (ledger, extra) => ledger.read([alice], [{ ...sourcesOf("text", "t"), ...extra }]),
  },
  "a read of the head": {
    meant: "type",
    call: (ledger, extra) => ledger.read([alice], [{ ...head(), ...extra }]),
  },
  "read's options": { meant: "signal", call: (ledger, extra) => ledger.read([alice], [], extra) },
  "capabilities' options": { meant: "signal", call: (ledger, extra) => ledger.capabilities(extra) },
  "partitions' options": { meant: "limit", call: (ledger, extra) => ledger.partitions(extra) },
  "a policy": { meant: "maxRecords", call: (ledger, extra) => ledger.setPolicy(alice, extra) },
  "purge's call": {
    meant: "until",
    call: (ledger, extra) => ledger.purge(alice, { operation: "o", sessionId: "s", until: 1, ...extra }),
  },
  "undo's call": {
    meant: "purge",
    call: (ledger, extra) => ledger.undo(alice, { operation: "o", purge: "p", ...extra }),
  },
  "verify's options": { meant: "probes", call: (ledger, extra) => ledger.verify(alice, "e", extra) },
  "maintain's options": { meant: "signal", call: (ledger, extra) => ledger.maintain(extra) },
  "changes.read's options": { meant: "after", call: (ledger, extra) => ledger.changes.read(extra) },
  "changes.wait's options": {
    meant: "timeout",
    call: (ledger, extra) => ledger.changes.wait({ timeout: 0, ...extra }),
  },
  "claim's options": {
    meant: "leaseFor",
    call: (ledger, extra) => ledger.jobs.claim({ queues: ["q"], leaseFor: 1, ...extra }),
  },
  "fail's options": {
    meant: "delay",
    call: (ledger, extra) =>
      ledger.jobs.fail({ id: "j", lease: "l", partition: alice } as ClaimedJob, { error: "e", ...extra }),
  },
  "list's options": {
    meant: "dead",
    call: (ledger, extra) => ledger.jobs.list(alice, { queue: "q", ...extra }),
  },
  "a space": {
    meant: "dimensions",
    call: (ledger, extra) => ledger.spaces.declare({ kind: "lexical", maker: "m", ...extra }),
  },
  "index's request": {
    meant: "grains",
    call: (ledger, extra) => ledger.index(alice, { grains: [], spaces: [], ...extra }),
  },
  "a partition": {
    meant: "namespace",
    call: async (ledger, extra) => ledger.append({ ...alice, ...extra }, { operation: "o", records: [] }),
  },
  "the options of a partition": {
    meant: "namespace",
    call: async (_, extra) => partition({ userId: "u", ...extra }),
  },
  "the options of followChanges": {
    meant: "interval",
    call: (ledger, extra) => followChanges(ledger, extra).next(),
  },
  "work's options": {
    meant: "concurrency",
    call: (ledger, extra) => work(ledger, { handlers: {}, once: true, ...extra }),
  },
};

/** The last two letters swapped; of a short name, one more letter. */
function misspell(name: string): string {
  const [a = "", b = ""] = name.slice(-2);
  return name.length < 4 || a === b ? `${name}s` : `${name.slice(0, -2)}${b}${a}`;
}

export const misspelt = group("misspelt options", [
  test("are refused, with the name that was probably meant, and nothing is written", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "before", records: [note("")] });
    const before = await headOf(ledger);
    await each(calls, async ({ meant, call }, name) => {
      const error = await rejects("invalid_argument", () => call(ledger, { [misspell(meant)]: null }), name);
      assert.match(error.hint ?? "", new RegExp(`^Perhaps ${meant} was meant\\. Known: `), name);
    });
    await each(calls, async ({ call }, name) => {
      const error = await rejects("invalid_argument", () => call(ledger, { [canary]: canary }), name);
      assert.match(error.hint ?? "", /^Known: /, name);
    });
    assert.deepEqual(await headOf(ledger), before);
  }),
]);
