import { checkWhole } from "../model/check-values.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { type Grain, grainSchema } from "../model/grain.ts";
import { checkId } from "../model/ids.ts";
import { isPlainObject } from "../model/json.ts";
import { type Stored, timestampSchema } from "../model/record.ts";
import type { RowConditions, SearchRead, SessionPoint } from "./driver.ts";
import { parseFilter } from "./filter.ts";
import { checkTerms, checkVector } from "./index-entries.ts";
import { recordColumns, toRecord } from "./records.ts";
import { recordTables } from "./schema.ts";
import {
  type AroundOp,
  type GrainConditions,
  type Matches,
  type MatchOp,
  type NearestOp,
  type Neighbours,
  type Surroundings,
  searchLimits,
} from "./search.ts";
import { project, type Row } from "./table.ts";

interface TranslatedSearch {
  readonly read: SearchRead;
  result(rows: readonly Row[]): Matches | Neighbours | Surroundings;
}

const { grain } = recordTables;

export function translateMatch(op: MatchOp, now: number): TranslatedSearch {
  const terms = matchedTerms(op.terms);
  return {
    read: { type: "match", terms, ...checkSearch(op, now) },
    result: ([statistics, ...rows]) => {
      const documents = (statistics?.documents as number | undefined) ?? 0;
      return {
        documents,
        averageLength: documents === 0 ? 0 : (statistics?.terms as number) / documents,
        frequencies:
          statistics === undefined ? terms.map(() => 0) : (statistics.frequencies as readonly number[]),
        candidates: rows.map((row) => ({
          grain: toGrain(row.grain),
          length: row.length as number,
          counts: row.counts as readonly number[],
        })),
      };
    },
  };
}

export function translateNearest(op: NearestOp, now: number): TranslatedSearch {
  return {
    read: { type: "nearest", vector: checkVector(op.vector), ...checkSearch(op, now) },
    result: (rows) =>
      rows.map((row) => ({ grain: toGrain(row.grain), similarity: row.similarity as number })),
  };
}

export function translateAround(op: AroundOp, now: number): TranslatedSearch {
  const reach = checkWhole(op.reach, "reach", 1, searchLimits.reach);
  return {
    read: { type: "around", points: checkPoints(op.grains), reach, now },
    result: (rows) =>
      rows.map((row) => ({
        of: row.of as string,
        distance: row.distance as number,
        grain: toGrain(row.grain),
      })),
  };
}

/** What was made of the rows that drivers keep. */
const grains = new WeakMap<object, Stored<Grain>>();

function toGrain(row: unknown): Stored<Grain> {
  const known = grains.get(row as Row);
  if (known !== undefined) return known;
  const made = toRecord<"grain">(grain, project(row as Row, recordColumns(grain)));
  grains.set(row as Row, made);
  return made;
}

function matchedTerms(terms: readonly string[]): readonly string[] {
  const stored = checkTerms(terms);
  if (stored.length > searchLimits.terms)
    throw new FluxError("invalid_argument", `A match takes at most ${searchLimits.terms} terms`);
  if (new Set(stored).size < stored.length)
    throw new FluxError("invalid_argument", "The terms of a match must be distinct");
  return stored;
}

function checkSearch(
  op: MatchOp | NearestOp,
  now: number,
): Pick<SearchRead & { type: "match" }, "space" | "limit" | "where" | "now"> {
  return {
    space: checkWhole(op.space, "space", 1, Number.MAX_SAFE_INTEGER),
    limit: checkWhole(op.limit, "limit", 1, searchLimits.results),
    where: checkConditions(op.where ?? {}),
    now,
  };
}

function checkPoints(grains: AroundOp["grains"]): readonly SessionPoint[] {
  if (!Array.isArray(grains) || grains.length > searchLimits.results)
    throw new FluxError("invalid_argument", `grains must be a list of at most ${searchLimits.results}`);
  return Array.from(grains as AroundOp["grains"]).flatMap(({ id, sessionId, ownerKind, seq }) => {
    if (!Number.isSafeInteger(seq)) throw new FluxTypeError("invalid_argument", "A grain has a seq");
    if (sessionId === undefined) return [];
    return [
      {
        id: checkId(id, "id"),
        sessionId: checkId(sessionId, "sessionId"),
        ownerKind: checkId(ownerKind, "ownerKind"),
        seq,
      },
    ];
  });
}

/** The columns of a grain that conditions are on, by the name of the condition. */
const columns = {
  sessionIds: "sessionId",
  agentIds: "agentId",
  ownerKinds: "ownerKind",
  provenance: "provenance",
  status: "status",
} as const;

/** @throws FluxTypeError or FluxError `invalid_filter`; `invalid_id` for a label that is none */
export function checkConditions(where: GrainConditions): RowConditions {
  if (!isPlainObject(where))
    throw new FluxTypeError("invalid_filter", `where must be a plain object, not ${describe(where)}`);
  const known = [...Object.keys(columns), "from", "until", "filter"];
  const unknown = Object.keys(where).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new FluxError("invalid_filter", "There is no such condition on grains", {
      hint: `Known: ${known.join(", ")}.`,
    });
  const { from, until, filter } = where;
  return {
    allowed: Object.entries(columns).flatMap(([name, column]) => {
      const values = where[name as keyof typeof columns] as readonly (string | null)[] | undefined;
      return values === undefined ? [] : [[column, checkAllowed(name, values)] as const];
    }),
    ...(from === undefined ? {} : { from: checkTime(from, "from") }),
    ...(until === undefined ? {} : { until: checkTime(until, "until") }),
    ...(filter === undefined ? {} : { filter: parseFilter(filter) }),
  };
}

/** Where a misspelt value would find nothing and say nothing. */
const knownValues: Readonly<Record<string, readonly string[]>> = {
  ownerKinds: grainSchema.shape.ownerKind.options,
  provenance: grainSchema.shape.provenance.options,
  status: grainSchema.shape.status.options,
};

function checkAllowed(name: string, values: readonly (string | null)[]): readonly string[] {
  if (!Array.isArray(values))
    throw new FluxTypeError("invalid_filter", `where.${name} must be a list, not ${describe(values)}`);
  const known = knownValues[name];
  if (known !== undefined) {
    const given = Array.from(values as readonly string[]);
    if (given.every((value) => known.includes(value))) return given;
    throw new FluxError("invalid_filter", `where.${name} has a value that is none of its own`, {
      hint: `Known: ${known.join(", ")}.`,
    });
  }
  const label = name === "sessionIds" || name === "agentIds";
  return Array.from(values, (value) => (label && value === null ? "" : checkId(value, `where.${name}`)));
}

function checkTime(value: unknown, name: string): number {
  const { success, data } = timestampSchema.safeParse(value);
  if (success) return data;
  throw new FluxTypeError("invalid_filter", `where.${name} must be a moment in whole milliseconds`);
}
