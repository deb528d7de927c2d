import { type EmbedderChoice, resolveEmbedder } from "../embed/resolve.ts";
import type { Ledger } from "../store/ledger.ts";
import type { Analyser } from "../text/analyser.ts";
import { findEmbedder } from "./find-embedder.ts";
import type { Indexes } from "./indexes.ts";

/**
 * Looks at the spaces of a store, and makes them where there are none. The space of words is made last: where it is, the
 * choice has been made, and an embedder that is not recorded is not wanted.
 */
export async function openSpaces(
  ledger: Ledger,
  indexes: Indexes,
  {
    analyser,
    embedder,
  }: { readonly analyser: Analyser; readonly embedder: EmbedderChoice | false | undefined },
): Promise<void> {
  indexes.makers.add({ analyser });
  await indexes.refresh();
  if (indexes.find("lexical") === undefined) {
    if (embedder !== false && indexes.find("dense") === undefined) {
      const made = await resolveEmbedder(embedder);
      indexes.makers.add({ embedder: made });
      await declareFirst(ledger, { kind: "dense", maker: made.id, dimensions: made.dimensions });
    }
    await declareFirst(ledger, { kind: "lexical", maker: analyser.id });
    await indexes.refresh();
  }
  const dense = indexes.find("dense");
  if (dense !== undefined && !indexes.makers.has(dense)) {
    const found = await findEmbedder(dense, embedder === false ? undefined : embedder);
    indexes.makers.add({ embedder: found.embedder });
    if (found.failure !== undefined) indexes.makers.failed(dense.maker, found.failure);
  }
}

/** Of processes that create a store at the same time, one makes the choice, and the others take back theirs. */
async function declareFirst(
  ledger: Ledger,
  space: Parameters<Ledger["spaces"]["declare"]>[0],
): Promise<void> {
  const { id, state } = await ledger.spaces.declare(space);
  if (state === "building") await ledger.spaces.drop(id);
}
