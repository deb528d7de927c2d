import type { ReplacedSource, SaidAt } from "../facts/replaced-sources.ts";
import { supersededRole } from "../facts/to-fact.ts";
import type { Grain } from "../model/grain.ts";
import type { Stored } from "../model/record.ts";
import { grainText, type OwnerRecords, ownerText } from "../recall/owner-text.ts";
import { type Mutation, patch } from "../store/batch.ts";
import { find, get, type Page, type ReadOp } from "../store/read.ts";
import { splitSentences } from "../text/sentences.ts";
import { type RecordKind, type RecordRef, recordKinds } from "./read-record.ts";

/** A grain whose text another one replaces. */
export interface Mark {
  /** Ids of grains. */
  readonly older: string;
  readonly newer: string;
}

/** Grains of one record that are looked at. */
const maxGrains = 100;
/** UTF-16 units up to which a text is about the one thing that a fact of it says. */
const shortText = 240;
/** Share of a longer text that the sentence has to be: what else it says is not replaced with it. */
const mainShare = 0.5;

/** The first reads of a plan that writes marks: grains that texts were found to replace or to be replaced by. */
export function markReads(marks: readonly Mark[]): readonly ReadOp[] {
  return idsOf(marks).map((id) => get("grain", id));
}

/** Its second reads: what was marked before leads to, and the grains of the sources of facts. */
export function markReadsNext(
  rows: readonly unknown[],
  replaced: readonly ReplacedSource[],
): readonly ReadOp[] {
  return [
    ...marksBefore(rows).map((id) => get("grain", id)),
    ...recordsOf(replaced).flatMap(({ kind, id }) => [
      get(kind, id),
      find("grain", { index: "byOwner", prefix: [kind, id], limit: maxGrains }),
    ]),
  ];
}

/**
 * The marks as mutations. One that is there stays as long as what it leads to is there: what replaced that is found through it.
 * Grains that have gone meanwhile have none.
 */
export function decideMarks(
  marks: readonly Mark[],
  rows: readonly unknown[],
  next: readonly unknown[],
  replaced: readonly ReplacedSource[],
): readonly Mutation[] {
  const grains = new Map<string, Stored<Grain>>();
  const add = (grain: Stored<Grain> | undefined): unknown => grain && grains.set(grain.id, grain);
  for (const row of rows) add(row as Stored<Grain> | undefined);
  const before = marksBefore(rows);
  for (const row of next.slice(0, before.length)) add(row as Stored<Grain> | undefined);
  const said = new SaidTexts(recordsOf(replaced), next.slice(before.length));
  const all = [...marks];
  for (const { older, newer } of replaced) {
    const [from, to] = [said.grainOf(older), said.grainOf(newer)];
    if (from === undefined || to === undefined || !said.isMain(older, from)) continue;
    add(from);
    add(to);
    all.push({ older: from.id, newer: to.id });
  }
  const written = new Map<string, string>();
  for (const { older, newer } of all) {
    const [from, to] = [grains.get(older), grains.get(newer)];
    if (from === undefined || to === undefined || older === newer || written.has(older)) continue;
    if (from.supersededBy !== undefined && grains.has(from.supersededBy)) continue;
    if (to.supersededBy === older || written.get(newer) === older) continue;
    written.set(older, newer);
  }
  return Array.from(written, ([older, newer]) => {
    const { ownerKind: kind = "text", ownerId: id = "" } = grains.get(newer) ?? {};
    const value = { supersededBy: newer };
    // Through the link a mark is known to whatever changes or erases the record that it leads to.
    return patch("grain", older, value, { sources: [{ kind, id, role: supersededRole }] });
  });
}

function idsOf(marks: readonly Mark[]): readonly string[] {
  return [...new Set(marks.flatMap(({ older, newer }) => [older, newer]))];
}

/** Ids of what grains lead to by marks that they have. */
function marksBefore(rows: readonly unknown[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => (row as Grain | undefined)?.supersededBy ?? []))];
}

/** Of the grains of a record, the one in whose piece an offset of its text stands. */
export function grainAt(grains: readonly Stored<Grain>[], offset: number): Stored<Grain> | undefined {
  return grains.find(({ start = 0, end = Number.POSITIVE_INFINITY }) => start <= offset && offset < end);
}

/** The records of sources, each once; facts that rest on facts have none. */
function recordsOf(replaced: readonly ReplacedSource[]): readonly RecordRef[] {
  const records = new Map<string, RecordRef>();
  for (const { kind, id } of replaced.flatMap(({ older, newer }) => [older, newer])) {
    const known = recordKinds.find((one) => one === kind);
    if (known !== undefined) records.set(`${kind} ${id}`, { kind: known, id });
  }
  return [...records.values()];
}

/** What records say, and the grains that stand for it. */
class SaidTexts {
  readonly #records = new Map<string, { readonly text: string; readonly grains: readonly Stored<Grain>[] }>();

  constructor(records: readonly RecordRef[], rows: readonly unknown[]) {
    for (const [i, { kind, id }] of records.entries()) {
      const record = rows[2 * i] as OwnerRecords[RecordKind] | undefined;
      const page = rows[2 * i + 1] as Page<Stored<Grain>> | undefined;
      if (record !== undefined && page !== undefined)
        this.#records.set(`${kind} ${id}`, { text: ownerText(kind, record), grains: page.items });
    }
  }

  /** The grain in whose piece a source stands. */
  grainOf({ kind, id, start = 0 }: SaidAt): Stored<Grain> | undefined {
    return grainAt(this.#records.get(`${kind} ${id}`)?.grains ?? [], start);
  }

  /** Whether what a source says is most of what its grain says. */
  isMain({ kind, id, start = 0 }: SaidAt, grain: Stored<Grain>): boolean {
    const text = this.#records.get(`${kind} ${id}`)?.text ?? "";
    const piece = grainText(text, grain);
    if (piece.length <= shortText) return true;
    const at = start - (grain.start ?? 0);
    const sentence = splitSentences(piece).find((one) => one.start <= at && at < one.start + one.text.length);
    return (sentence?.text.length ?? 0) >= mainShare * piece.length;
  }
}
