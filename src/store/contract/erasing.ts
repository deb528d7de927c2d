import type { Partition } from "../../model/partition.ts";
import type { Insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { sourcesOf } from "../read.ts";
import { alice, everything } from "./expectations.ts";

export async function store(
  ledger: Ledger,
  records: readonly Insert[],
  user: Partition = alice,
): Promise<void> {
  await ledger.append(user, { operation: "stored", records });
}

/** Erases records given as "kind id". */
export function erase(ledger: Ledger, operation: string, ...names: string[]): ReturnType<Ledger["erase"]> {
  return ledger.erase(alice, { operation, refs: names.map(toRef) });
}

function toRef(name: string): { kind: string; id: string } {
  const [kind = "", id = ""] = name.split(" ");
  return { kind, id };
}

/** What is left, as "kind id", by kind and then id. */
export async function left(ledger: Ledger): Promise<string[]> {
  const found = Object.entries(await everything(ledger));
  return found.flatMap(([kind, records]) => records.map(({ id }) => `${kind} ${id}`)).sort();
}

/** The jobs that derive anew what lost a source: what, and from which. */
export async function toDerive(ledger: Ledger): Promise<Record<string, string[]>> {
  const { jobs } = await ledger.jobs.list(alice, { queue: "derive" });
  const found = new Map<string, string[]>();
  for (const { id, payload } of jobs) {
    const [sources] = await ledger.read([alice], [sourcesOf("job", id)]);
    const { kind, id: lost } = payload as { kind: string; id: string };
    found.set(`${kind} ${lost}`, sources.map((source) => `${source.kind} ${source.id}`).sort());
  }
  return Object.fromEntries([...found].sort());
}

export const withRole = (insertion: Insert, ...sources: (readonly [string, string])[]): Insert => ({
  ...insertion,
  sources: sources.map(([name, role]) => ({ ...toRef(name), role })),
});
