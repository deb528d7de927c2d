import { canonicalKey, canonicalPredicate } from "../facts/canonical.ts";
import type { Claim } from "../facts/claim.ts";
import type { Version } from "../facts/judge.ts";
import { startOf } from "../facts/timeline.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { worldTimeSchema } from "../model/fact.ts";
import { checkId } from "../model/ids.ts";
import { optionNames } from "../model/options.ts";
import type { Partition } from "../model/partition.ts";
import { groundRole, provenanceSchema, type Source } from "../model/record.ts";
import { find, get, type Page, type ReadOp } from "../store/read.ts";
import {
  checkBoolean,
  checkChoice,
  checkKnown,
  checkShare,
  checkString,
  checkTime,
} from "./check-options.ts";
import { defined } from "./draft.ts";
import { decideFacts, factReadsNext } from "./fact-plan.ts";
import {
  aliasReads,
  type FactAside,
  firstReads,
  namedRows,
  type PreparedClaim,
  SubjectKeys,
  sharedAmong,
  versionsAmong,
} from "./fact-reads.ts";
import { entryKey, type FactGrain } from "./fact-writes.ts";
import { indexedText } from "./indexed-text.ts";
import type { FluxParts } from "./open-flux.ts";

/** Whose memory claims are about, and the labels of those that no record makes. */
export interface FactScope {
  readonly partition: Partition;
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
}

export interface PrepareOptions {
  /** What the clock says. */
  readonly now: number;
  readonly signal: AbortSignal | undefined;
  /** Versions that must still be current at the commit, else it is a `conflict`. */
  readonly expected?: readonly string[] | undefined;
  /**
   * The texts of records as they were read, by `kind id` (see `ownerText`): a claim of a record that says something else there by then
   * is left out.
   */
  readonly texts?: ReadonlyMap<string, string> | undefined;
}

/** Claims of one commit. */
export const maxClaims = 500;

const claimNames = optionNames<Claim>({
  subject: true,
  predicate: true,
  object: true,
  affirmed: true,
  change: true,
  confidence: true,
  provenance: true,
  validFrom: true,
  validUntil: true,
  cardinality: true,
  saidAt: true,
  sources: true,
  factId: true,
  reason: true,
});

/**
 * Checks claims and makes what their commit needs: what their subjects stand for, and the index entries of what will most likely be
 * written.
 *
 * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id`; `too_large` for more than 500
 */
export async function prepareClaims(
  parts: FluxParts,
  { partition, sessionId, agentId }: FactScope,
  claims: readonly Claim[],
  { now, signal, expected = [], texts }: PrepareOptions,
): Promise<FactAside> {
  const { ledger } = parts;
  const checked = checkClaims(claims, now, texts);
  const reads = new Map<string, ReadOp>(aliasReads());
  for (const { factId } of checked) {
    if (factId === undefined) continue;
    const newest = { index: "byFact", prefix: [factId], reverse: true, limit: 1 };
    reads.set(`thread ${factId}`, find("fact", newest)).set(`version ${factId}`, get("fact", factId));
  }
  const rows = namedRows(reads, await ledger.read([partition], [...reads.values()], { signal }));
  const aimed = checked.map((claim) => aimedAt(claim, rows));
  const keys = new SubjectKeys(rows, aimed);
  const aside: FactAside = {
    claims: aimed.map((claim) => ({ ...claim, keys: keys.keysOf(claim.subject) })),
    labels: defined({ sessionId, agentId }),
    ...{ expected, shared: [], spaces: [], entries: new Map() },
  };
  const { shared, grains } = await foreseen(parts, partition, aside, { now, signal });
  return { ...aside, shared, ...(await entriesOf(parts, grains, signal)) };
}

/** The index entries of facts, for a commit that writes them. */
export async function entriesOf(
  { indexes }: FluxParts,
  grains: readonly FactGrain[],
  signal: AbortSignal | undefined,
): Promise<Pick<FactAside, "spaces" | "entries">> {
  const made = await indexes.make(
    grains.map(({ text, grain }) => indexedText(grain, text)),
    signal,
  );
  const entries = grains.map((one, i) => {
    const prepared = { entries: made.entries[i] ?? [], missing: made.missing[i] ?? [] };
    return [entryKey(one), prepared] as const;
  });
  return { spaces: made.spaces, entries: new Map(entries) };
}

/** What would be indexed if nothing came between, and the records that several say it with. */
async function foreseen(
  { ledger }: FluxParts,
  partition: Partition,
  aside: FactAside,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal | undefined },
): Promise<{ readonly shared: FactAside["shared"]; readonly grains: readonly FactGrain[] }> {
  const read = async (reads: readonly ReadOp[]): Promise<readonly unknown[]> =>
    reads.length === 0 ? [] : ledger.read([partition], reads, { signal });
  // Which versions are expected, the commit checks.
  const before = firstReads({ ...aside, expected: [] });
  const known = namedRows(before, await read([...before.values()]));
  const foreseeing = { ...aside, expected: [], shared: sharedAmong(versionsAmong(known)) };
  const more = new Map([...firstReads(foreseeing)].filter(([name]) => !before.has(name)));
  const found = new Map([...known, ...namedRows(more, await read([...more.values()]))]);
  const rows = [...firstReads(foreseeing).keys()].map((name) => found.get(name));
  const next = await read(factReadsNext(rows, foreseeing));
  const context = { now, id: (ordinal: number) => `${ordinal}` };
  return { shared: foreseeing.shared, grains: decideFacts(rows, next, foreseeing, context).grains };
}

type CheckedClaim = Omit<PreparedClaim, "keys">;

/** A claim about a fact is about its subject and predicate. */
function aimedAt(claim: CheckedClaim, rows: ReadonlyMap<string, unknown>): CheckedClaim {
  const { factId } = claim;
  if (factId === undefined) return claim;
  const thread = rows.get(`thread ${factId}`) as Page<Version>;
  const version = thread.items[0] ?? (rows.get(`version ${factId}`) as Version | undefined);
  if (version === undefined) return claim;
  return { ...claim, factId: version.factId, subject: version.subject, predicate: version.predicate };
}

/** @throws FluxTypeError or FluxError as {@link prepareClaims} */
export function checkClaims(
  claims: readonly Claim[],
  now: number,
  texts?: ReadonlyMap<string, string>,
): readonly CheckedClaim[] {
  if (!Array.isArray(claims))
    throw new FluxTypeError("invalid_argument", `claims must be a list, not ${describe(claims)}`);
  if (claims.length > maxClaims) {
    throw new FluxError("too_large", `A commit has at most ${maxClaims} claims`, {
      hint: "Add them in several calls, each with an operation id of its own.",
    });
  }
  return Array.from(claims, (claim) => checkClaim(claim, now, texts));
}

function checkClaim(given: Claim, now: number, texts: ReadonlyMap<string, string> | undefined): CheckedClaim {
  const claim = checkKnown(given, claimNames, "A claim");
  const {
    affirmed = true,
    change = "assert",
    confidence = 1,
    provenance = "user_stated",
    saidAt = now,
  } = claim;
  const { validFrom, validUntil, cardinality, sources = [], factId, reason } = claim;
  const subject = checkName(claim.subject, "subject");
  const predicate = canonicalPredicate(checkString(claim.predicate, "predicate"));
  checkId(predicate, "predicate");
  const { object } = claim;
  if (object !== undefined) checkObject(object);
  checkChoice(change, "change", ["assert", "correct", "end", "retract"]);
  if (object === undefined && (change === "assert" || change === "correct"))
    throw new FluxError("invalid_argument", "A claim needs an object, unless it ends or retracts something");
  checkBoolean(affirmed, "affirmed");
  checkShare(confidence, "confidence");
  checkChoice(provenance, "provenance", provenanceSchema.options);
  checkTime(saidAt, "saidAt");
  checkWorldTime(validFrom, "validFrom");
  checkWorldTime(validUntil, "validUntil");
  if (cardinality !== undefined) checkChoice(cardinality, "cardinality", ["one", "many"]);
  if (factId !== undefined) checkId(factId, "factId");
  if (reason !== undefined) checkString(reason, "reason");
  const evidence = { saidAt, provenance, confidence, ...defined({ validFrom, validUntil, cardinality }) };
  if (
    validUntil !== undefined &&
    startOf(evidence) >= validUntil.at &&
    (change !== "end" || validFrom !== undefined)
  )
    throw new FluxError("invalid_argument", "A claim must begin to hold before it ceases to", {
      hint: "validFrom is by default the moment when it was said.",
    });
  return {
    ...{ subject, predicate, affirmed, change, evidence, sources: checkSources(sources, texts) },
    ...defined({ object, factId, reason }),
  };
}

function checkName(value: unknown, name: string): string {
  const text = checkString(value, name);
  checkId(text, name);
  if (canonicalKey(text) === "") throw new FluxError("invalid_argument", `${name} must not be empty`);
  return text;
}

function checkObject(value: unknown): void {
  if (canonicalKey(checkString(value, "object")) === "")
    throw new FluxError("invalid_argument", "object must not be empty");
}

function checkWorldTime(value: unknown, name: string): void {
  if (value === undefined || worldTimeSchema.safeParse(value).success) return;
  throw new FluxError("invalid_argument", `${name} must be a world time`, {
    hint: 'Such as { at: Date.UTC(2019, 0), precision: "year" }.',
  });
}

function checkSources(
  sources: readonly Source[],
  texts: ReadonlyMap<string, string> | undefined,
): PreparedClaim["sources"] {
  if (!Array.isArray(sources))
    throw new FluxTypeError("invalid_argument", `sources must be a list, not ${describe(sources)}`);
  return sources.map((source: Source) => {
    const { kind, id, role = groundRole, start, end } = Object(source) as Source;
    if (role !== groundRole) {
      throw new FluxError("invalid_argument", `A source of a claim has the role ${groundRole}`, {
        hint: "What else had a part in it is decided when the claim is committed.",
      });
    }
    checkId(kind, "source.kind");
    checkId(id, "source.id");
    const said = texts?.get(`${kind} ${id}`)?.slice(start, end);
    return { kind, id, ...defined({ start, end, said }) };
  });
}
