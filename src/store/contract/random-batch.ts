import type { NewJob } from "../../model/job.ts";
import type { Source } from "../../model/record.ts";
import { type Insert, insert, type Patch, patch, type Remove, removableKinds, remove } from "../batch.ts";
import type { FindOptions } from "../read.ts";
import { type Kind, recordTables } from "../schema.ts";
import { indexOrder } from "../table.ts";
import type { ModelMutation } from "./commit-model.ts";
import type { ModelRecord, PartitionModel } from "./partition-model.ts";
import { randomFilter, randomMetadata } from "./random-filter.ts";
import type { Choices } from "./seeded-randomness.ts";

/** Few, so that they are taken, erased and used by several partitions again and again. */
const ids = ["a", "b", "c", "d", "e", "é", "%", "0", "\u{10000}", "\uffff"];
const sessions = ["s1", "s2", "s 3", "%"];
const agents = ["one", "two"];
export const queues = ["q", "r"] as const;

const insertable = [
  "message",
  "message",
  "episode",
  "text",
  "text",
  "grain",
  "fact",
  "fact",
  "block",
  "value",
  "conduit",
  "trace",
  "feedback",
] as const;
const sourceKinds: readonly string[] = ["message", "episode", "text", "fact", "block", "value"];
const ownerKinds: readonly string[] = ["message", "episode", "text", "fact"];

/** Makes up batches and queries for one partition, from what its model holds. */
export class RandomRequests {
  readonly #model: PartitionModel;
  readonly #choices: Choices;
  #now = 0;
  #visible: readonly ModelRecord[] = [];

  constructor(model: PartitionModel, choices: Choices) {
    this.#model = model;
    this.#choices = choices;
  }

  /** Looks at the present state. */
  at(now: number): void {
    this.#now = now;
    this.#visible = this.#model.visible(now);
  }

  inserts(): Insert[] {
    return Array.from({ length: 1 + this.#choices.below(4) }, () => this.#insert(true));
  }

  mutations(): ModelMutation[] {
    const choices = this.#choices;
    return Array.from({ length: 1 + choices.below(4) }, (): ModelMutation => {
      if (this.#visible.length === 0 || choices.chance(30)) return this.#insert(false);
      return choices.chance(70) ? this.#patch() : this.#remove();
    });
  }

  jobs(): NewJob[] {
    const choices = this.#choices;
    if (choices.chance(80)) return [];
    return Array.from({ length: 1 + choices.below(2) }, () => ({
      queue: choices.of(queues),
      payload: choices.of<NewJob["payload"] & (string | number | null | object)>(["p", 1, { n: [1, null] }]),
      sources: this.#sources(40).map(({ kind, id }) => ({ kind, id })),
      delay: choices.chance(30) ? choices.below(50) : 0,
      maxAttempts: 1_000_000,
    }));
  }

  #insert(broken: boolean): Insert {
    const choices = this.#choices;
    const kind = choices.of(insertable);
    const derived = ["text", "fact", "episode", "block", "value"].includes(kind);
    const id = choices.chance(15) ? choices.of(ids) : undefined;
    const sources = derived ? this.#sources(50).filter((source) => source.id !== id) : [];
    return insert(kind as Kind, this.#content(kind, broken) as never, { id, sources }) as Insert;
  }

  #patch(): Patch {
    const choices = this.#choices;
    const found = choices.chance(96)
      ? choices.of(this.#visible)
      : { kind: "text" as Kind, id: choices.of(ids) };
    const value = this.#changes(found.kind);
    const derived = ["text", "fact", "value"].includes(found.kind) && choices.chance(15);
    const sources = derived ? this.#sources(60).filter(({ id }) => id !== found.id) : [];
    return patch(found.kind, found.id, value as never, { sources }) as Patch;
  }

  #remove(): Remove {
    const removable = this.#visible.filter(({ kind }) =>
      (removableKinds as readonly string[]).includes(kind),
    );
    const id = this.#choices.of(ids);
    const { kind, id: found } = removable.length > 0 ? this.#choices.of(removable) : { kind: "block", id };
    return remove(kind as "block", found);
  }

  #sources(percent: number): Source[] {
    const choices = this.#choices;
    if (!choices.chance(percent)) return [];
    const possible = this.#visible.filter(({ kind }) => sourceKinds.includes(kind));
    return Array.from({ length: 1 + choices.below(3) }, (): Source => {
      const gone = { kind: "message", id: choices.of(ids) };
      const { kind, id } = possible.length > 0 && choices.chance(97) ? choices.of(possible) : gone;
      const role = choices.chance(75) ? undefined : choices.of(["source", "supports", "closed"]);
      const span = choices.chance(20) ? { start: choices.below(5), end: 5 + choices.below(5) } : {};
      return { kind, id, ...(role === undefined ? {} : { role }), ...span };
    });
  }

  #text(broken: boolean): string {
    const texts = ["", "a", "Ünïcode 柏林 👍", "x".repeat(50), `'; -- "\\`];
    return this.#choices.of(broken ? [...texts, ...texts, "cut \ud83d", "\0"] : texts);
  }

  #labels(): object {
    const choices = this.#choices;
    return {
      ...(choices.chance(60) ? { sessionId: choices.of(sessions) } : {}),
      ...(choices.chance(30) ? { agentId: choices.of(agents) } : {}),
    };
  }

  #expiry(): object {
    const choices = this.#choices;
    return choices.chance(15) ? { expiresAt: this.#now + choices.below(400) - 20 } : {};
  }

  #metadata(): object {
    const metadata = randomMetadata(this.#choices);
    return metadata === undefined ? {} : { metadata };
  }

  #one(kinds: readonly string[]): { readonly kind: string; readonly id: string } {
    const found = this.#visible.filter(({ kind }) => kinds.includes(kind));
    return found.length > 0
      ? this.#choices.of(found)
      : { kind: kinds[0] as string, id: this.#choices.of(ids) };
  }

  #content(kind: Kind, broken: boolean): object {
    const choices = this.#choices;
    const labels = this.#labels();
    const common = { ...this.#metadata(), ...this.#expiry() };
    const time = choices.below(50) - 5;
    switch (kind) {
      case "message":
        return {
          ...labels,
          sessionId: choices.of(sessions),
          role: "user",
          content: this.#text(broken),
          saidAt: time,
          ...common,
        };
      case "episode":
        return {
          ...labels,
          input: this.#text(broken),
          output: this.#text(broken),
          occurredAt: time,
          ...common,
        };
      case "text": {
        const contentKey = choices.chance(50) ? { contentKey: choices.of(ids) } : {};
        const form = choices.of(["note", "summary", "abstraction"]);
        return {
          ...labels,
          ...contentKey,
          form,
          content: this.#text(broken),
          provenance: "user_stated",
          statedAt: time,
          ...common,
        };
      }
      case "grain": {
        const owner = this.#one(ownerKinds);
        const span = choices.chance(30) ? { start: 0, end: choices.below(9) } : {};
        const status = choices.of(["active", "dormant", "archived"]);
        return {
          ...labels,
          ownerKind: owner.kind,
          ownerId: owner.id,
          ...span,
          status,
          provenance: "ai_stated",
          saidAt: time,
          ...common,
        };
      }
      case "fact":
        return {
          ...labels,
          ...{
            factId: choices.of(ids),
            subject: choices.of(["user", "other"]),
            predicate: choices.of(["likes", "is"]),
          },
          ...{
            object: this.#text(broken),
            subjectKey: choices.of(["user", "other"]),
            objectKey: choices.of(ids),
            recordedFrom: time,
            affirmed: choices.chance(50),
            confidence: choices.below(101) / 100,
          },
          ...{ provenance: "user_stated", status: choices.of(["current", "retired"]) },
          ...this.#expiry(),
        };
      case "block":
        return {
          ...(choices.chance(50) ? { agentId: choices.of(agents) } : {}),
          name: choices.of(ids),
          content: this.#text(broken),
          position: time,
        };
      case "value":
        return {
          agentId: choices.of(agents),
          scope: choices.of(["u", "g"]),
          key: choices.of(ids),
          value: [this.#text(broken), { n: time }],
        };
      case "conduit":
        return {
          fromId: this.#one(["grain"]).id,
          toId: this.#one(["grain"]).id,
          relation: choices.of(["next", "like"]),
          weight: choices.below(101) / 100,
          useCount: choices.below(5),
        };
      case "trace":
        return {
          ...labels,
          query: this.#text(broken),
          hits: [{ grainId: this.#one(["grain"]).id, score: time }],
          ...(choices.chance(50) ? { caller: choices.of(agents) } : {}),
          ...(choices.chance(30) ? { feedback: "complete" } : {}),
          ...this.#expiry(),
        };
      case "feedback":
        return {
          traceId: this.#one(["trace"]).id,
          grainId: this.#one(["grain"]).id,
          ...(choices.chance(50) ? { caller: choices.of(agents) } : {}),
          useful: choices.chance(50),
        };
    }
  }

  /** What a patch changes; an explicit undefined takes a property away. */
  #changes(kind: Kind): object {
    const choices = this.#choices;
    const content = this.#content(kind, false) as Record<string, unknown>;
    const { columns, mutable } = recordTables[kind];
    const changes: Record<string, unknown> = {};
    for (const property of choices.some(mutable, 40)) {
      if (content[property] !== undefined) changes[property] = content[property];
      else if (columns[property]?.endsWith("?") && choices.chance(60)) changes[property] = undefined;
    }
    return changes;
  }

  /** A query along one of the kind's indexes, with values that are there and some that are not. */
  query(): { readonly kind: Kind; readonly options: FindOptions } {
    const choices = this.#choices;
    const kind = choices.of(insertable) as Kind;
    const table = recordTables[kind];
    const index = choices.of(["byId", ...Object.keys(table.indexes)]);
    const order = indexOrder(table, index);
    const same = this.#visible.filter((record) => record.kind === kind);
    const like = same.length > 0 ? choices.of(same) : undefined;
    const valueIn = (column: string, record = like): string | number | boolean | null => {
      const value = record?.record[column];
      if (value !== undefined) return value as string | number | boolean;
      const type = table.columns[column];
      return type === "integer" ? choices.below(50) : type === "id?" ? null : choices.of(ids);
    };
    const prefix = order.slice(0, choices.below(order.length + 1)).map((column) => valueIn(column));
    const next = order[prefix.length];
    const range: Record<string, unknown> = {};
    if (next !== undefined && choices.chance(40)) {
      const other = same.length > 0 ? choices.of(same) : undefined;
      const [low, high] = [valueIn(next), valueIn(next, other)];
      if (low !== null && choices.chance(70)) range[choices.of(["gt", "gte"])] = low;
      if (high !== null && choices.chance(70)) range[choices.of(["lt", "lte"])] = high;
    }
    const filter =
      "metadata" in table.columns && choices.chance(30) ? { filter: randomFilter(choices, 2) } : {};
    const options = {
      index,
      prefix,
      ...(next === undefined ? {} : { range: range as never }),
      reverse: choices.chance(50),
      limit: 1 + choices.below(40),
      ...filter,
    };
    return { kind, options };
  }

  /** Some records to erase, and sometimes an id that is not there. */
  refs(): { readonly kind: string; readonly id: string }[] {
    const choices = this.#choices;
    const there = Array.from({ length: Math.min(1 + choices.below(3), this.#visible.length) }, () =>
      choices.of(this.#visible),
    );
    const refs = there.map(({ kind, id }) => ({ kind, id }));
    return choices.chance(15)
      ? [...refs, { kind: choices.of(["text", "message"]), id: choices.of(ids) }]
      : refs;
  }

  /** Some records to purge, and sometimes an id that is not there. */
  hideable(): { readonly kind: string; readonly id: string }[] {
    return this.refs().filter(({ kind }) => recordTables[kind as Kind].expires);
  }

  session(): string {
    return this.#choices.of(sessions);
  }
}
