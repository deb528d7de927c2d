import type { NewJob } from "../model/job.ts";
import { definePlan } from "../store/plan.ts";
import type { ReadOp } from "../store/read.ts";
import { decideFacts, factReads, factReadsNext } from "./fact-plan.ts";
import type { FactAside } from "./fact-reads.ts";
import { decideStatements, statementReads } from "./statement-plan.ts";
import type { PreparedDraft } from "./store-plan.ts";

export interface ExtractedAside {
  readonly statements: readonly PreparedDraft[];
  readonly facts: FactAside;
  /** Further jobs. */
  readonly jobs: readonly NewJob[];
  readonly spaces: readonly number[];
  /** Those that are searched now. */
  readonly active: readonly number[];
}

/** Stores what was derived from texts: statements, and what their claims come to. The input names the job. */
export const extractedPlan = definePlan({
  name: "flux-extracted",
  module: import.meta.url,
  reads: (_input: { readonly request: string }, { statements, facts }: ExtractedAside): readonly ReadOp[] => [
    ...statementReads(statements),
    ...factReads(facts),
  ],
  readsNext: (_input, rows, { statements, facts }): readonly ReadOp[] =>
    factReadsNext(rows.slice(statementReads(statements).length), facts),
  decide(_input, rows, { aside, next, now, id }) {
    const { statements, facts, jobs, spaces, active } = aside;
    const behind = statementReads(statements).length;
    const stored = decideStatements(statements, rows.slice(0, behind), { active, id });
    const mutations = stored.mutations();
    const inserted = mutations.filter(({ type }) => type === "insert").length;
    const decided = decideFacts(rows.slice(behind), next, facts, {
      now,
      id: (ordinal) => id(inserted + ordinal),
    });
    return {
      mutations: [...mutations, ...decided.mutations],
      jobs: [...stored.jobs(), ...decided.jobs, ...jobs],
      spaces,
      result: null,
    };
  },
});
