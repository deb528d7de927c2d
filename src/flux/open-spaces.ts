import type { Embedder } from "../embed/embedder.ts";
import { type EmbedderChoice, resolveEmbedder } from "../embed/resolve.ts";
import type { Ledger } from "../store/ledger.ts";
import type { Analyser } from "../text/analyser.ts";
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
      await declareDense(ledger, made);
    }
    await declareLexical(ledger, analyser);
    await indexes.refresh();
  }
  const dense = indexes.find("dense");
  if (dense !== undefined && !indexes.makers.has(dense)) await indexes.lookUp(dense);
}

/**
 * Of processes that create a store at the same time, the one whose space came first makes the choice, and the others take back
 * theirs. When the space of words came before it, another one chose no embedder, and may have stored texts without vectors.
 */
async function declareDense(ledger: Ledger, { id: maker, dimensions }: Embedder): Promise<void> {
  const own = await ledger.spaces.declare({ kind: "dense", maker, dimensions, state: "building" });
  const live = (await ledger.spaces.list()).filter(({ state }) => state !== "retired");
  const first = live.filter(({ kind }) => kind === "dense").reduce((a, b) => (b.id < a.id ? b : a), own);
  const without = live.some(({ kind, id }) => kind === "lexical" && id < first.id);
  if (!without && first.state === "building") await ledger.spaces.activate(first.id);
  if ((without || first.id !== own.id) && own.state === "building") await ledger.spaces.drop(own.id);
}

async function declareLexical(ledger: Ledger, { id: maker }: Analyser): Promise<void> {
  const { id, state } = await ledger.spaces.declare({ kind: "lexical", maker });
  if (state === "building") await ledger.spaces.drop(id);
}
