import type { FluxMemory } from "../../flux/flux-memory.ts";
import { type ScopeOptions, scopeOf } from "../../flux/scope.ts";
import { FluxError } from "../../model/errors.ts";
import { base32, digest } from "../../model/hash.ts";
import { recordId } from "../../model/ids.ts";
import type { Imported, ImportedItem, ImportProblem } from "./imported.ts";
import { Lanes } from "./lanes.ts";

export interface StoreImportedOptions {
  /** Of the memory: whose it is, and the labels that items get which have none of their own. */
  readonly scope: ScopeOptions;
  /** Stores what was imported before and erased since once more. Default false. */
  readonly again?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProblem?: ((problem: ImportProblem) => void) | undefined;
  /** Told after every item. */
  readonly onProgress?: ((report: StoreImportedReport) => void) | undefined;
}

export interface StoreImportedReport {
  readonly stored: number;
  /** Imported before. */
  readonly known: number;
  /** Texts that the memory held already, from elsewhere. */
  readonly mentioned: number;
  /** Imported before, and erased since; not stored again. */
  readonly erased: number;
  readonly problems: number;
}

/** Enough is queued that there are 32 lanes also where conversations are short. */
const limits = { atOnce: 32, queued: 1000, weight: 8_000_000 };

/**
 * Stores what an importer finds. Each item is an operation of its own, named by its key: an import that was interrupted goes
 * on when it is repeated, and one of a file that grew stores what is new. Messages of a session are stored in their order.
 *
 * @throws what a store fails with, but for what is wrong with one item, which is a problem; the reason of an aborted signal
 */
export async function storeImported(
  memory: FluxMemory,
  found: AsyncIterable<Imported>,
  options: StoreImportedOptions,
): Promise<StoreImportedReport> {
  const { signal, onProblem, onProgress } = options;
  const report = { stored: 0, known: 0, mentioned: 0, erased: 0, problems: 0 };
  const note = (problem: ImportProblem): void => {
    report.problems += 1;
    onProblem?.(problem);
  };
  const store = async (entry: ImportedItem): Promise<void> => {
    try {
      report[await storeOnce(memory, entry, options)] += 1;
    } catch (error) {
      if (!FluxError.isInstance(error) || !ofOneItem.has(error.code)) throw error;
      note({ type: "problem", place: placeOf(entry), problem: error.message });
    }
    onProgress?.({ ...report });
  };
  const lanes = new Lanes(limits);
  try {
    for await (const entry of found) {
      signal?.throwIfAborted();
      if (entry.type === "problem") note(entry);
      else await lanes.add(entry.item.sessionId, unitsOf(entry), () => store(entry));
    }
    await lanes.end();
  } finally {
    await lanes.settled();
  }
  return report;
}

const ofOneItem: ReadonlySet<string> = new Set([
  "too_large",
  "invalid_argument",
  "invalid_id",
  "invalid_metadata",
  "invalid_record",
]);

function unitsOf({ item }: ImportedItem): number {
  return "text" in item ? item.text.length : item.content.length;
}

function placeOf({ item: { sessionId } }: ImportedItem): string {
  return sessionId === undefined ? "a text" : `session ${sessionId}`;
}

type Outcome = "stored" | "known" | "mentioned" | "erased";

async function storeOnce(
  memory: FluxMemory,
  entry: ImportedItem,
  options: StoreImportedOptions,
): Promise<Outcome> {
  const { sessionId, agentId } = options.scope;
  const labels = JSON.stringify([entry.item.sessionId ?? sessionId, agentId]);
  const operation = `import-${base32(digest(labels, entry.key).subarray(0, 16))}`;
  let outcome = await storeUnder(operation, memory, entry, options);
  // Ids of what was erased are never used again. Under names that are counted up, the same import once more finds them.
  for (let time = 2; outcome === "erased" && options.again; time++)
    outcome = await storeUnder(`${operation}-${time}`, memory, entry, options);
  return outcome;
}

async function storeUnder(
  operation: string,
  memory: FluxMemory,
  { item }: ImportedItem,
  { scope, signal }: StoreImportedOptions,
): Promise<Outcome> {
  // A look before the work of cutting and embedding; that nothing is stored twice is the operation's to see to.
  if ((await memory.get(recordId(scopeOf(scope).partition, operation, 0), { signal })) !== undefined)
    return "known";
  try {
    const [result] = await memory.storeBatch([item], { operation, signal });
    if (result?.status === "mentioned") return "mentioned";
    // Done before, by an import whose record is gone.
    return result?.compared === false ? "erased" : "stored";
  } catch (error) {
    if (!FluxError.isInstance(error)) throw error;
    // Another import stored it meanwhile, or it differs by what is no part of the key, such as a title.
    if (error.code === "operation_conflict") return "known";
    if (error.code === "erased") return "erased";
    throw error;
  }
}
