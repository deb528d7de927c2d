import { presentOf } from "../model/clock.ts";
import { type FactVersion, factStatusSchema } from "../model/fact.ts";
import type { Grain } from "../model/grain.ts";
import type { Partition } from "../model/partition.ts";
import { groundRole, type Ref, type Source, type Stored } from "../model/record.ts";
import type { CallOptions } from "../store/driver.ts";
import type { Ledger } from "../store/ledger.ts";
import { derivedFrom, find, get, sourcesOf } from "../store/read.ts";
import type { Kind } from "../store/schema.ts";
import { checkKnown, checkSignal } from "./check-options.ts";
import { defined } from "./draft.ts";
import {
  type ExportedGrain,
  type ExportLine,
  exportVersion,
  type FactLine,
  type LinksLine,
  plainKinds,
  type RecordLine,
} from "./export-line.ts";
import { walkFor } from "./list-walk.ts";
import type { FluxParts, Run } from "./open-flux.ts";
import { names } from "./option-names.ts";
import { type Held, readRecords } from "./read-record.ts";
import { recordOf } from "./record-of.ts";
import { nameOf } from "./restore-item.ts";
import type { Scope } from "./scope.ts";

const page = 200;

/** Everything that was stored in a partition and derived from it: records and facts in their order, then blocks and the others. */
export function exportLines(
  parts: FluxParts,
  { partition }: Scope,
  options: CallOptions,
  run: Run,
): AsyncIterable<ExportLine> {
  const { signal } = checkKnown(options, names.call);
  checkSignal(signal);
  const source = new ExportSource(parts.ledger, partition, signal);

  async function* lines(): AsyncGenerator<ExportLine> {
    signal?.throwIfAborted();
    yield { type: "flux-memory", version: exportVersion, exportedAt: presentOf(parts.clock) };
    yield* source.records();
    yield* source.facts();
    yield* source.links();
    yield* source.others();
  }

  return {
    [Symbol.asyncIterator]() {
      const all = lines();
      return { next: () => run(() => all.next(), { signal }), return: () => all.return(undefined) };
    },
  };
}

type Link = Source & { readonly role: string };

/** Reads what a partition holds, a page at a time. */
class ExportSource {
  readonly #ledger: Ledger;
  readonly #partition: Partition;
  readonly #signal: AbortSignal | undefined;
  /** Whether something rests on what comes behind it. */
  #later = false;

  constructor(ledger: Ledger, partition: Partition, signal: AbortSignal | undefined) {
    this.#ledger = ledger;
    this.#partition = partition;
    this.#signal = signal;
  }

  async *records(): AsyncGenerator<RecordLine> {
    for await (const held of this.#heldRecords()) {
      const rows = await this.#ledger.read(
        [this.#partition],
        held.flatMap(({ kind, owner }) => [sourcesOf(kind, owner.id), derivedFrom(kind, owner.id)] as const),
        { signal: this.#signal },
      );
      const links = held.map((_, i) => rows[2 * i] as readonly Link[]);
      const seqs = await this.#seqsOf(links.flat());
      for (const [i, one] of held.entries()) {
        this.#signal?.throwIfAborted();
        const derived = rows[2 * i + 1] as readonly Ref[];
        if (one.grains.some(isReplaced)) this.#later = true;
        const unread = derived.some(({ kind }) => kind === "job") ? ({ unread: true } as const) : {};
        yield {
          ...recordLine(one),
          ...this.#linksOf({ kind: one.kind, seq: one.owner.seq }, links[i] ?? [], seqs),
          ...unread,
        };
      }
    }
  }

  async *#heldRecords(): AsyncGenerator<readonly Held[]> {
    const walk = walkFor(this.#ledger, this.#partition, { order: "oldest" });
    for (let place: readonly number[] | undefined; ; ) {
      const { found, end } = await walk.next(place, page, { signal: this.#signal });
      const refs = found.map(({ ref }) => ref);
      const held = await readRecords(this.#ledger, this.#partition, refs, { signal: this.#signal });
      yield held.filter((one) => one !== undefined);
      if (end === undefined) return;
      place = end;
    }
  }

  async *facts(): AsyncGenerator<FactLine> {
    for await (const { facts, links, grains } of this.#factPages()) {
      const seqs = await this.#seqsOf(links.flat());
      for (const [i, fact] of facts.entries()) {
        this.#signal?.throwIfAborted();
        yield {
          ...factLine(fact),
          ...this.#linksOf({ kind: "fact", seq: fact.seq }, links[i] ?? [], seqs),
          ...grainsOf(grains[i] ?? [], undefined),
        };
      }
    }
  }

  /** What rests on something that comes behind it, once all records are known. */
  async *links(): AsyncGenerator<LinksLine> {
    if (!this.#later) return;
    for await (const { facts, links } of this.#factPages()) {
      const seqs = await this.#seqsOf(links.flat());
      for (const [i, { id, seq }] of facts.entries())
        yield* linksLine({ kind: "fact", id }, laterThan({ kind: "fact", seq }, links[i] ?? [], seqs));
    }
    for await (const held of this.#heldRecords()) {
      const texts = held.filter(({ kind }) => kind === "text");
      const links = await this.#ledger.read(
        [this.#partition],
        texts.map(({ owner }) => sourcesOf("text", owner.id)),
        { signal: this.#signal },
      );
      const seqs = await this.#seqsOf(links.flat());
      for (const [i, { owner }] of texts.entries())
        yield* linksLine(
          { kind: "text", id: owner.id },
          laterThan({ kind: "text", seq: owner.seq }, links[i] ?? [], seqs),
        );
      yield* this.#replacedGrains(held);
    }
  }

  async *#replacedGrains(held: readonly Held[]): AsyncGenerator<LinksLine> {
    const grains = held.flatMap((one) => one.grains.filter(isReplaced));
    const links = await this.#ledger.read(
      [this.#partition],
      grains.map(({ id }) => sourcesOf("grain", id)),
      { signal: this.#signal },
    );
    const seqs = await this.#seqsOf(links.flat());
    for (const [i, { id }] of grains.entries())
      yield* linksLine({ kind: "grain", id }, shown(links[i] ?? [], seqs));
  }

  async *others(): AsyncGenerator<ExportLine> {
    for (const kind of plainKinds) {
      for (let after: string | undefined; ; ) {
        const [{ items, cursor }] = await this.#ledger.read(
          [this.#partition],
          [find(kind, { after, limit: page })],
          {
            signal: this.#signal,
          },
        );
        for (const { seq: _seq, updatedSeq: _updated, repaired: _repaired, ...record } of items)
          yield { type: kind, ...record } as ExportLine;
        if (cursor === undefined) break;
        after = cursor;
      }
    }
  }

  /** Versions of facts by their place in the order of writes, whatever their status. */
  async *#factPages(): AsyncGenerator<{
    readonly facts: readonly Stored<FactVersion>[];
    readonly links: readonly (readonly Link[])[];
    readonly grains: readonly (readonly Stored<Grain>[])[];
  }> {
    for (let behind: number | undefined; ; ) {
      const range = behind === undefined ? undefined : { gt: behind };
      const options = { index: "byStatus", range, limit: page };
      const pages = await this.#ledger.read(
        [this.#partition],
        factStatusSchema.options.map((status) => find("fact", { ...options, prefix: [status] })),
        { signal: this.#signal },
      );
      const all = pages.flatMap(({ items }) => items).sort((a, b) => a.seq - b.seq);
      const facts = all.slice(0, page);
      const rows = await this.#ledger.read(
        [this.#partition],
        facts.flatMap(
          ({ id }) =>
            [
              sourcesOf("fact", id),
              find("grain", { index: "byOwner", prefix: ["fact", id], limit: 10 }),
            ] as const,
        ),
        { signal: this.#signal },
      );
      yield {
        facts,
        links: facts.map((_, i) => rows[2 * i] as readonly Link[]),
        grains: facts.map((_, i) => (rows[2 * i + 1] as { readonly items: readonly Stored<Grain>[] }).items),
      };
      const last = facts.at(-1);
      const more = all.length > page || pages.some(({ cursor }) => cursor !== undefined);
      if (last === undefined || !more) return;
      behind = last.seq;
    }
  }

  /** The places of what something rests on, which may come behind it. What is hidden has none. */
  async #seqsOf(links: readonly Link[]): Promise<ReadonlyMap<string, number>> {
    const refs = [...new Map(links.map((link) => [nameOf(link), link])).values()];
    if (refs.length === 0) return new Map();
    const rows = await this.#ledger.read(
      [this.#partition],
      refs.map(({ kind, id }) => get(kind as Kind, id)),
      { signal: this.#signal },
    );
    return new Map(
      refs.flatMap((ref, i) => {
        const seq = rows[i]?.seq;
        return seq === undefined ? [] : [[nameOf(ref), seq] as const];
      }),
    );
  }

  #linksOf(
    place: { readonly kind: string; readonly seq: number },
    links: readonly Link[],
    seqs: ReadonlyMap<string, number>,
  ): { readonly sources?: readonly Source[] } {
    const later = new Set(laterThan(place, links, seqs));
    if (later.size > 0) this.#later = true;
    const sources = shown(links, seqs)
      .filter((link) => !later.has(link))
      .map(sourceOf);
    return sources.length === 0 ? {} : { sources };
  }
}

function isReplaced({ supersededBy }: Grain): boolean {
  return supersededBy !== undefined;
}

function mayComeLater({ kind }: Ref): boolean {
  return kind === "fact" || kind === "text";
}

/** Those to what is exported as well. */
function shown(links: readonly Link[], seqs: ReadonlyMap<string, number>): readonly Link[] {
  return links.filter((link) => seqs.has(nameOf(link)));
}

/** Facts come behind all texts, and each of both behind what was stored before it. */
function laterThan(
  { kind, seq }: { readonly kind: string; readonly seq: number },
  links: readonly Link[],
  seqs: ReadonlyMap<string, number>,
): readonly Link[] {
  return shown(links, seqs).filter((link) =>
    link.kind === kind ? mayComeLater(link) && (seqs.get(nameOf(link)) ?? -1) > seq : link.kind === "fact",
  );
}

function sourceOf({ role, ...source }: Link): Source {
  return role === groundRole ? source : { ...source, role };
}

function linksLine(
  ref: { readonly kind: LinksLine["kind"]; readonly id: string },
  links: readonly Link[],
): LinksLine[] {
  return links.length === 0 ? [] : [{ type: "links", ...ref, sources: links.map(sourceOf) }];
}

function recordLine(held: Held): RecordLine {
  const { grainIds: _ids, ...record } = recordOf(held);
  const line = { type: "record", ...record, ...grainsOf(held.grains, record.status) } as const;
  if (held.kind === "text") {
    const { form } = held.owner;
    return form === "note" ? line : { ...line, form };
  }
  if (held.kind === "episode") return line;
  const { name, toolCalls, toolCallId } = held.owner;
  return {
    ...line,
    // As it was given: what is shown of it is cut.
    ...defined({ author: name, toolCalls, toolCallId }),
  };
}

function factLine(fact: Stored<FactVersion>): FactLine {
  const {
    seq: _seq,
    updatedSeq: _updated,
    repaired: _repaired,
    subjectKey: _s,
    objectKey: _o,
    ...line
  } = fact;
  return { type: "fact", ...line };
}

function grainsOf(
  grains: readonly Stored<Grain>[],
  common: Grain["status"] = "active",
): { readonly grains?: readonly ExportedGrain[] } {
  if (grains.length === 0) return {};
  return {
    grains: grains.map(({ id, start, end, status, mentions, supersededBy }) => ({
      id,
      ...defined({ start, end, status: status === common ? undefined : status, mentions, supersededBy }),
    })),
  };
}
