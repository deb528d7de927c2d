/** The plans of the contract suite. Exported under their own names, so that a worker thread finds them. */
import { FluxError } from "../../model/errors.ts";
import type { NewJob } from "../../model/job.ts";
import type { Json } from "../../model/json.ts";
import { insert, type Mutation, patch, remove } from "../batch.ts";
import { type Decision, definePlan } from "../plan.ts";
import { derivedFrom, find, get, head, type ReadOp, sourcesOf } from "../read.ts";
import type { Kind } from "../schema.ts";
import type { IndexEntry } from "../search.ts";

const module = import.meta.url;

interface Found {
  readonly [key: string]: Json;
  readonly id: string;
  readonly inserted: boolean;
}

/** Stores a text unless one with its key is there. */
export const findOrInsert = definePlan({
  name: "findOrInsert",
  module,
  reads: ({ contentKey }: { readonly contentKey: string; readonly content: string }) => [
    find("text", { index: "byContent", prefix: [contentKey], limit: 1 }),
  ],
  decide({ contentKey, content }, [{ items }], { id, now }): Decision<Found> {
    const [found] = items;
    if (found !== undefined) return { result: { id: found.id, inserted: false } };
    const text = insert("text", {
      form: "note",
      content,
      contentKey,
      provenance: "user_stated",
      statedAt: now,
    });
    return { mutations: [text], result: { id: id(0), inserted: true } };
  },
});

/** Reinforces a conduit by one step. */
export const reinforce = definePlan({
  name: "reinforce",
  module,
  reads: ({ id }: { readonly id: string; readonly step: number }) => [get("conduit", id)],
  decide({ id, step }, [conduit]) {
    if (conduit === undefined) throw new FluxError("not_found", "The conduit is not there");
    const useCount = conduit.useCount + 1;
    // Fifty steps of 0.01 from 0.5 end a few ulps above 1, which no weight may be.
    const weight = Math.min(1, conduit.weight + step);
    return { mutations: [patch("conduit", id, { weight, useCount })], result: useCount };
  },
});

/** Counts a mention on the grains of the text with this key; by how much is told aside. */
export const mention = definePlan({
  name: "mention",
  module,
  reads: ({ contentKey }: { readonly contentKey: string }, _aside: { readonly step: number }) => [
    find("text", { index: "byContent", prefix: [contentKey], limit: 1 }),
  ],
  readsNext: (_input, [{ items }]) =>
    items.map(({ id }) => find("grain", { index: "byOwner", prefix: ["text", id] })),
  decide(_input, _rows, { next, aside }) {
    const grains = next.flatMap(({ items }) => items);
    return {
      mutations: grains.map(({ id, mentions = 0 }) =>
        patch("grain", id, { mentions: mentions + aside.step }),
      ),
      result: grains.length,
    };
  },
});

/** A mutation as JSON: `removed` names the properties that a patch takes away. */
export interface WrittenMutation {
  readonly type: "insert" | "patch" | "remove";
  readonly kind: string;
  readonly id?: string;
  readonly value?: { readonly [key: string]: Json };
  readonly removed?: readonly string[];
  readonly sources?: readonly { readonly [key: string]: Json }[];
  readonly dropped?: readonly { readonly [key: string]: Json }[];
}

/** Does what it is told, as one batch. */
export const apply = definePlan({
  name: "apply",
  module,
  reads: () => [],
  decide({ mutations, jobs }: { readonly mutations: readonly Json[]; readonly jobs?: readonly Json[] }) {
    return {
      mutations: (mutations as unknown as WrittenMutation[]).map(toMutation),
      jobs: (jobs ?? []) as unknown as NewJob[],
    };
  },
});

function toMutation({ type, kind, id, value, removed = [], sources, dropped }: WrittenMutation): Mutation {
  const given = sources as never;
  switch (type) {
    case "insert":
      return insert(kind as Kind, value as never, { id, sources: given }) as Mutation;
    case "patch": {
      const gone = Object.fromEntries(removed.map((property) => [property, undefined]));
      return patch(kind as Kind, id as string, { ...value, ...gone } as never, {
        sources: given,
        dropped: dropped as never,
      }) as Mutation;
    }
    default:
      return remove(kind as never, id as string);
  }
}

/** Gives a grain another text: patches it with what the index is to hold of it, which is told aside. */
export const reindex = definePlan({
  name: "reindex",
  module,
  reads: (
    { id }: { readonly id: string; readonly spaces: readonly number[] },
    _aside: { readonly index: readonly IndexEntry[] },
  ) => [get("grain", id)],
  decide({ id, spaces }, [grain], { aside }) {
    const mentions = (grain?.mentions ?? 0) + 1;
    return { mutations: [patch("grain", id, { mentions }, { index: aside.index })], spaces };
  },
});

/** Gives a text other grains: removes one and inserts one, with its entries told aside. */
export const cutAnew = definePlan({
  name: "cutAnew",
  module,
  reads: (
    { gone }: { readonly gone: string; readonly made: string; readonly spaces: readonly number[] },
    _aside: { readonly index: readonly IndexEntry[] },
  ) => [get("grain", gone)],
  decide({ gone, made, spaces }, [grain], { aside }) {
    if (grain === undefined) throw new FluxError("not_found", "The grain is not there");
    const { ownerKind, ownerId, status, provenance, saidAt } = grain;
    const value = { ownerKind, ownerId, status, provenance, saidAt };
    return {
      mutations: [remove("grain", gone), insert("grain", value, { id: made, index: aside.index })],
      spaces,
    };
  },
});

/** Decides whatever it is given, right or wrong. */
export const decideAs = definePlan({
  name: "decideAs",
  module,
  reads: (): readonly ReadOp[] => [],
  decide: ({ decision }: { readonly decision: Json }) => decision as never,
});

/** Writes something, then fails. */
export const refuse = definePlan({
  name: "refuse",
  module,
  reads: ({ id }: { readonly id: string; readonly code?: string }) => [get("conduit", id)],
  decide({ code }): { readonly mutations: readonly Mutation[] } {
    if (code === undefined) throw new RangeError("The plan refuses");
    throw new FluxError(code as never, "The plan refuses", { hint: "Ask for less.", retryable: true });
  },
});

/** Returns what it read, so that reads inside a transaction can be compared with reads outside. */
export const look = definePlan({
  name: "look",
  module,
  reads: ({ id }: { readonly id: string }) => [
    get("text", id),
    find("text", { index: "byForm", prefix: ["note"], filter: { keep: true }, reverse: true, limit: 2 }),
    sourcesOf("text", id),
    derivedFrom("text", id),
    head(),
  ],
  decide(_input, [text, page, sources, derived, state], { now }) {
    return {
      result: {
        text: text?.id ?? null,
        page: page.items.map(({ id }) => id),
        more: page.cursor !== undefined,
        sources: sources.map(({ kind, id, role }) => `${kind} ${id} ${role}`),
        derived: derived.map(({ kind, id, role }) => `${kind} ${id} ${role}`),
        seq: state?.seq ?? 0,
        now,
      },
    };
  },
});

/** Sets the same content in two blocks at once; nobody may ever see them differ. */
export const setPair = definePlan({
  name: "setPair",
  module,
  reads: ({ ids }: { readonly ids: readonly string[]; readonly content: string }) =>
    ids.map((id) => get("block", id)),
  decide({ ids, content }) {
    return { mutations: ids.map((id) => patch("block", id, { content })) };
  },
});

/** Returns so many bytes. */
export const answer = definePlan({
  name: "answer",
  module,
  reads: (): readonly ReadOp[] => [],
  decide({ length }: { readonly length: number }) {
    return {
      result: "x".repeat(length),
      mutations: [insert("block", { name: "b", content: "", position: 0 })],
    };
  },
});

/** Inserts two grains of a message and a conduit between them, by the ids that they will have. */
export const wire = definePlan({
  name: "wire",
  module,
  reads: ({ message }: { readonly message: string }) => [get("message", message)],
  decide(_input, [message], { id }) {
    if (message === undefined) throw new FluxError("not_found", "The message is not there");
    const grain = {
      ownerKind: "message",
      ownerId: message.id,
      status: "active",
      provenance: "user_stated",
      saidAt: message.saidAt,
    } as const;
    return {
      mutations: [
        insert("grain", { ...grain, start: 0, end: 1 }),
        insert("grain", { ...grain, start: 1, end: 2 }),
        insert("conduit", { fromId: id(0), toId: id(1), relation: "next", weight: 0.5, useCount: 0 }),
      ],
      result: [id(0), id(1), id(2)],
    };
  },
});

/** What a job does in the suite: counts one more use, and notes that it ran. */
export const countUse = definePlan({
  name: "countUse",
  module,
  reads: ({ id }: { readonly id: string; readonly note: string }) => [get("conduit", id)],
  decide({ id, note }, [conduit], { now }) {
    if (conduit === undefined) throw new FluxError("not_found", "The conduit is not there");
    return {
      mutations: [
        patch("conduit", id, { useCount: conduit.useCount + 1 }),
        insert("text", { form: "note", content: note, provenance: "ai_stated", statedAt: now }),
      ],
      result: conduit.useCount + 1,
    };
  },
});
