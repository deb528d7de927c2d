import { expect, test } from "vitest";
import { Child } from "../../../test/support/child.ts";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { partition } from "../../model/partition.ts";
import { find } from "../read.ts";
import { sqliteLedger } from "./ledger.ts";

const folder = temporaryFolder();
const ann = partition({ userId: "ann" });

/** What a native crash would show: the process ends by a signal, and not as it was told to. */
const program = (path: string, body: string): string => `
  const { count, deadly } = await import(${JSON.stringify(import.meta.resolve("../../../test/support/sqlite-plans.ts"))});
  const ann = partition({ userId: "ann" });
  const open = (rest = {}) => sqliteLedger({ path: ${JSON.stringify(path)}, worker: true, ...rest });
  const say = (ledger, operation) => ledger.append(ann, { operation, records: [message(operation)] });
  ${body}`;

async function operationsIn(path: string): Promise<Set<string>> {
  await using ledger = sqliteLedger({ path });
  const [page] = await ledger.read([ann], [find("message", { limit: 1000 })]);
  return new Set(page.items.map(({ content }) => content));
}

test("a process that exits while its threads write ends as it was told, and keeps what was acknowledged", async () => {
  const path = folder.path("exits.db");
  for (let round = 0; round < 3; round++) {
    const child = new Child(
      program(
        path,
        `for (let thread = 0; thread < 2; thread++) {
          const ledger = open();
          for (let i = 0; i < 40; i++) {
            const operation = "${round}." + thread + "." + i;
            say(ledger, operation).then(() => tell(operation));
          }
          ledger.changes.wait({ timeout: 60_000 }).then(() => setTimeout(() => process.exit(7), ${round * 10}));
        }`,
      ),
    );
    const acknowledged: string[] = [];
    for (let told = await child.next<string>(); told !== undefined; told = await child.next<string>())
      acknowledged.push(told);
    expect(await child.exit()).toBe(7);
    expect([...(await operationsIn(path))]).toEqual(expect.arrayContaining(acknowledged));
  }
});

test("threads that end, are closed under calls and die side by side leave the process whole", async () => {
  const path = folder.path("ends.db");
  const child = new Child(
    program(
      path,
      `const rounds = {
        close: async (ledger, i) => { await say(ledger, "close" + i); },
        closeUnderCalls: async (ledger, i) => {
          const calls = [say(ledger, "under" + i), ledger.changes.wait({ timeout: 5 })];
          await ledger.close();
          await Promise.all(calls);
        },
        closeUnused: async () => {},
        abort: async (ledger, i) => {
          const abort = new AbortController();
          const waiting = ledger.changes.wait({ timeout: 60_000, signal: abort.signal }).catch(() => {});
          await say(ledger, "abort" + i);
          abort.abort();
          await waiting;
        },
        die: async (ledger, i) => {
          const calls = [
            say(ledger, "die" + i),
            ledger.update(ann, { operation: "deadly" + i, plan: deadly, input: null }),
            ledger.changes.wait({ timeout: 60_000 }),
          ];
          const outcomes = await Promise.allSettled(calls);
          if (outcomes[1].status !== "rejected") throw new Error("it lives");
          await say(ledger, "die" + i);
        },
        inMemory: async () => {
          const ledger = open({ path: ":memory:" });
          await ledger.update(ann, { operation: "o", plan: count, input: null });
          await ledger.close();
        },
      };
      const names = Object.keys(rounds);
      await Promise.all([0, 1, 2].map(async (lane) => {
        for (let i = lane; i < 2 * names.length; i += 3) {
          const ledger = open();
          await rounds[names[(i + (i / names.length | 0)) % names.length]](ledger, i);
          await ledger.close();
        }
      }));
      tell("whole");`,
    ),
  );
  expect(await child.rest()).toEqual(["whole"]);
  const kept = [...(await operationsIn(path))];
  expect(kept.map((operation) => operation.replace(/\d+$/, "")).sort()).toEqual(
    ["abort", "close", "die", "under"].flatMap((name) => [name, name]),
  );
});
