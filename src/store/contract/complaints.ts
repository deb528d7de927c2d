import { deletion } from "./complaints-deletion.ts";
import { duplicates } from "./complaints-duplicates.ts";
import { lostWrites } from "./complaints-lost-writes.ts";
import { textAndIds } from "./complaints-text.ts";
import { wrongTenant } from "./complaints-wrong-tenant.ts";

/**
 * What users of other memory systems complained of, tried on a ledger. The numbers are the rows of the project's list of
 * complaints; each case is the shortest form of the probe that its row names.
 */
export const complaints = [duplicates, lostWrites, wrongTenant, textAndIds, deletion];
