import type { Claim } from "../facts/claim.ts";
import type { ClaimResult } from "../facts/claim-result.ts";
import type { Fact } from "../facts/fact.ts";
import type {
  FactChanges,
  FactCountOptions,
  FactGraphOptions,
  FactGraphResult,
  FactPage,
  FactQuery,
  FactRecall,
  FactRecallOptions,
  FactRetractOptions,
  Facts,
  FactUpdateOptions,
  FactWriteOptions,
} from "../facts/facts.ts";
import { copyGiven } from "../model/copy-given.ts";
import type { CallOptions } from "../store/driver.ts";
import type { ErasureReceipt } from "../store/erasures.ts";
import { graphOf } from "./facts-graph.ts";
import { countFacts, getFact, historyOf, queryFacts } from "./facts-query.ts";
import { recallFacts } from "./facts-recall.ts";
import { addClaims, deleteFact, retractFact, updateFact } from "./facts-write.ts";
import type { FluxParts, Run } from "./open-flux.ts";
import type { Scope } from "./scope.ts";

/** The facts of one scope. */
export class BoundFacts implements Facts {
  readonly #parts: FluxParts;
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(parts: FluxParts, scope: Scope, run: Run) {
    this.#parts = parts;
    this.#scope = scope;
    this.#run = run;
  }

  add(claim: Claim, options?: FactWriteOptions): Promise<ClaimResult>;
  add(claims: readonly Claim[], options?: FactWriteOptions): Promise<readonly ClaimResult[]>;
  add(
    given: Claim | readonly Claim[],
    options: FactWriteOptions = {},
  ): Promise<ClaimResult | readonly ClaimResult[]> {
    const several = Array.isArray(given);
    const claims = copyGiven(several ? (given as readonly Claim[]) : [given as Claim]);
    return this.#run(async () => {
      const results = await addClaims(this.#parts, this.#scope, claims, options);
      return several ? results : (results[0] as ClaimResult);
    }, options);
  }

  query(query: FactQuery = {}): Promise<FactPage> {
    return this.#run(() => queryFacts(this.#source(), query), query);
  }

  list(query?: FactQuery): Promise<FactPage> {
    return this.query(query);
  }

  count(options: FactCountOptions = {}): Promise<number> {
    return this.#run(() => countFacts(this.#source(), options), options);
  }

  get(id: string, options: CallOptions = {}): Promise<Fact | undefined> {
    return this.#run(() => getFact(this.#source(), id, options), options);
  }

  history(id: string, options: CallOptions = {}): Promise<readonly Fact[]> {
    return this.#run(() => historyOf(this.#source(), id, options), options);
  }

  recall(query: string, options: FactRecallOptions = {}): Promise<FactRecall> {
    return this.#run(() => recallFacts(this.#parts, this.#scope, query, options), options);
  }

  graph(
    query: string | { readonly entities: readonly string[] },
    options: FactGraphOptions = {},
  ): Promise<FactGraphResult> {
    return this.#run(() => graphOf(this.#source(), query, options), options);
  }

  update(id: string, changes: FactChanges, options: FactUpdateOptions = {}): Promise<Fact> {
    const given = copyGiven(changes);
    return this.#run(() => updateFact(this.#parts, this.#scope, id, given, options), options);
  }

  retract(id: string, options: FactRetractOptions = {}): Promise<Fact> {
    return this.#run(() => retractFact(this.#parts, this.#scope, id, options), options);
  }

  delete(id: string, options: FactWriteOptions = {}): Promise<ErasureReceipt> {
    return this.#run(() => deleteFact(this.#parts, this.#scope, id, options), options);
  }

  #source() {
    const { ledger, clock } = this.#parts;
    return { ledger, clock, partition: this.#scope.partition };
  }
}
