import { atomicity } from "./atomicity.ts";
import { changeFeed } from "./change-feed.ts";
import { clock } from "./clock.ts";
import { closing } from "./closing.ts";
import { complaints } from "./complaints.ts";
import type { ContractCase, LedgerContractOptions } from "./contract-case.ts";
import { cursors } from "./cursors.ts";
import { decisions } from "./decisions.ts";
import { erasedIds } from "./erased-ids.ts";
import { erasedIndex } from "./erased-index.ts";
import { erasedText } from "./erased-text.ts";
import { erasure } from "./erasure.ts";
import { erasureGrounds } from "./erasure-grounds.ts";
import { expiry } from "./expiry.ts";
import { filters } from "./filters.ts";
import { followers } from "./followers.ts";
import { feedback, grainChanges } from "./grain-changes.ts";
import { idempotency } from "./idempotency.ts";
import { ids } from "./ids.ts";
import { indexEntries } from "./index-entries.ts";
import { indexSearches } from "./index-searches.ts";
import { indexSpaces } from "./index-spaces.ts";
import { isolation } from "./isolation.ts";
import { jobs } from "./jobs.ts";
import { jsonValues } from "./json-values.ts";
import { kills } from "./kills.ts";
import { leases } from "./leases.ts";
import { misspelt } from "./misspelt.ts";
import { order } from "./order.ts";
import { purgeEnds } from "./purge-ends.ts";
import { purgedIndex } from "./purged-index.ts";
import { purges } from "./purges.ts";
import { quotas } from "./quotas.ts";
import { randomIndex } from "./random-index.ts";
import { roundTrip } from "./round-trip.ts";
import { snapshot } from "./snapshot.ts";
import { contractCases } from "./suite.ts";
import { text } from "./text.ts";
import { working } from "./work.ts";
import { workers } from "./workers.ts";
import { wrongTypes } from "./wrong-types.ts";

const groups = [
  ...[roundTrip, jsonValues, text, ids, wrongTypes, misspelt],
  ...[atomicity, idempotency, decisions, isolation, snapshot],
  ...[order, cursors, filters, clock],
  ...[changeFeed, followers, jobs, leases, workers, working],
  ...[erasure, erasureGrounds, erasedIds, erasedText, erasedIndex, quotas, expiry, purges, purgeEnds],
  ...[indexSearches, indexEntries, indexSpaces, randomIndex, grainChanges, purgedIndex, feedback],
  ...[closing, kills],
  ...complaints,
];

/**
 * Everything that a ledger promises, as cases for any test runner. Cases that need a store that outlives its ledger, or other
 * processes, are left out where the options do not offer them.
 *
 * @example
 * for (const { group, name, run, timeout } of ledgerContract({ open: (options) => myLedger(options) }))
 *   test(`${group}: ${name}`, { timeout }, run);
 */
export function ledgerContract(options: LedgerContractOptions): readonly ContractCase[] {
  return contractCases(groups, options);
}
