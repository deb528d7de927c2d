import type { NewJob } from "../model/job.ts";
import { definePlan } from "../store/plan.ts";
import type { ReadOp } from "../store/read.ts";
import { decideFacts, factReads, factReadsNext, replacedByFacts } from "./fact-plan.ts";
import type { FactAside } from "./fact-reads.ts";
import { decideMarks, type Mark, markReads, markReadsNext } from "./mark-plan.ts";
import { decideStatements, statementReads } from "./statement-plan.ts";
import type { PreparedDraft } from "./store-plan.ts";

export interface ExtractedAside {
  readonly statements: readonly PreparedDraft[];
  readonly facts: FactAside;
  /** Texts that replace others. Those that do by what their facts come to are found in the transaction. */
  readonly marks: readonly Mark[];
  /** Further jobs. */
  readonly jobs: readonly NewJob[];
  readonly spaces: readonly number[];
  /** Those that are searched now. */
  readonly active: readonly number[];
}

/** Stores what was derived from texts: statements, what their claims come to, and which texts replace others. The input names the job. */
export const extractedPlan = definePlan({
  name: "flux-extracted",
  module: import.meta.url,
  reads: (
    _input: { readonly request: string },
    { statements, facts, marks }: ExtractedAside,
  ): readonly ReadOp[] => [...statementReads(statements), ...factReads(facts), ...markReads(marks)],
  readsNext: (_input, rows, aside): readonly ReadOp[] => {
    const { factRows, markRows } = partsOf(rows, aside);
    const { facts } = aside;
    return [...factReadsNext(factRows, facts), ...markReadsNext(markRows, replacedByFacts(factRows, facts))];
  },
  decide(_input, rows, { aside, next, now, id }) {
    const { statements, facts, marks, jobs, spaces, active } = aside;
    const { statementRows, factRows, markRows } = partsOf(rows, aside);
    const stored = decideStatements(statements, statementRows, { active, id });
    const mutations = stored.mutations();
    const inserted = mutations.filter(({ type }) => type === "insert").length;
    const behind = factReadsNext(factRows, facts).length;
    const decided = decideFacts(factRows, next.slice(0, behind), facts, {
      now,
      id: (ordinal) => id(inserted + ordinal),
    });
    const replaced = replacedByFacts(factRows, facts);
    const marked = decideMarks(marks, markRows, next.slice(behind), replaced);
    return {
      mutations: [...mutations, ...decided.mutations, ...marked],
      jobs: [...stored.jobs(), ...decided.jobs, ...jobs],
      spaces,
      result: null,
    };
  },
});

/** The rows of the first reads, by what they are of. */
function partsOf(rows: readonly unknown[], { statements, facts }: ExtractedAside) {
  const first = statementReads(statements).length;
  const second = first + factReads(facts).length;
  return {
    statementRows: rows.slice(0, first),
    factRows: rows.slice(first, second),
    markRows: rows.slice(second),
  };
}
