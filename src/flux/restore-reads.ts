import { predicatesBeside } from "../facts/cardinality.ts";
import type { FactVersion } from "../model/fact.ts";
import type { Ref } from "../model/record.ts";
import { find, get, type ReadOp, sourcesOf } from "../store/read.ts";
import type { Kind, Kinds } from "../store/schema.ts";
import {
  idOfLevel,
  idsOf,
  nameOf,
  type RestoreAside,
  type RestoredOwner,
  type RestoredPlain,
} from "./restore-item.ts";
import { textsOfKey } from "./store-plan.ts";

/** Records of one moment or key that are looked at. */
const most = 1000;

/** Names of reads that are not of one record by its id. */
export const readNames = {
  moment: (kind: string, at: number) => `${kind} at ${at}`,
  key: (key: string) => `text of ${key}`,
  thread: (factId: string) => `versions of ${factId}`,
  subject: ({ subjectKey, predicate }: FactVersion) => `facts of ${JSON.stringify([subjectKey, predicate])}`,
  links: (ref: Ref) => `links of ${nameOf(ref)}`,
  block: ({ agentId, name }: Kinds["block"]) => `block ${JSON.stringify([agentId ?? null, name])}`,
  edges: (grainId: string) => `edges of ${grainId}`,
  value: ({ agentId, scope, key }: Kinds["value"]) => `value ${JSON.stringify([agentId, scope, key])}`,
};

/** All that has to be read before it can be decided what is restored, each once and by name. */
export function restoreReads(aside: RestoreAside): ReadonlyMap<string, ReadOp> {
  const reads = new Map<string, ReadOp>();
  const renamed = new Map(aside.renamed);
  const want = (name: string, op: ReadOp): void => void (reads.has(name) || reads.set(name, op));
  const wantRecord = (ref: Ref): void => want(nameOf(ref), get(ref.kind as Kind, ref.id) as ReadOp);
  const wantAny = (ref: Ref): void => {
    for (const id of idsOf(ref, aside)) wantRecord({ kind: ref.kind, id });
    const other = renamed.get(nameOf(ref));
    if (other !== undefined) wantRecord({ kind: ref.kind, id: other });
  };
  for (const item of aside.items) {
    wantAny(item);
    if (item.type === "plain") plainReads(item, aside, { want, wantAny });
    else for (const source of item.sources) wantAny(source);
    if (item.type === "links")
      for (const id of idsOf(item, aside)) {
        const ref = { kind: item.kind, id };
        want(readNames.links(ref), sourcesOf(item.kind, id));
      }
    if (item.type === "owner") ownerReads(item, aside, { want, wantRecord, wantAny });
  }
  return reads;
}

interface Wants {
  readonly want: (name: string, op: ReadOp) => void;
  readonly wantAny: (ref: Ref) => void;
}

function ownerReads(
  { kind, value, pieces }: RestoredOwner,
  { begun, renewed, level }: RestoreAside,
  { want, wantRecord, wantAny }: Wants & { readonly wantRecord: (ref: Ref) => void },
): void {
  for (const { id, content } of pieces) {
    if (id !== undefined) wantRecord({ kind: "grain", id: idOfLevel({ kind: "grain", id }, level) });
    if (renewed && content.supersededBy !== undefined) wantAny({ kind: "grain", id: content.supersededBy });
  }
  if ("factId" in value) {
    want(
      readNames.thread(value.factId),
      find("fact", { index: "byFact", prefix: [value.factId], limit: most }),
    );
    if (begun === 0 || value.status !== "current") return;
    for (const predicate of predicatesBeside(value.predicate)) {
      const prefix = ["current", value.subjectKey, predicate];
      const beside = find("fact", { index: "bySubject", prefix, limit: most });
      want(readNames.subject({ ...value, predicate }), beside);
    }
  } else if (begun > 0 && "contentKey" in value && value.contentKey !== undefined)
    want(readNames.key(value.contentKey), textsOfKey(value.contentKey));
  else if (begun > 0 && (kind === "message" || kind === "episode")) {
    const at = "saidAt" in value ? value.saidAt : (value as Kinds["episode"]).occurredAt;
    want(readNames.moment(kind, at), find(kind, { index: "byTime", prefix: [at], limit: most }));
  }
}

function plainReads({ kind, value }: RestoredPlain, aside: RestoreAside, { want, wantAny }: Wants): void {
  if (kind === "block") {
    const block = value as Kinds["block"];
    const prefix = [block.agentId ?? null, block.name];
    want(readNames.block(block), find("block", { index: "byName", prefix, limit: 1 }));
  } else if (kind === "value") {
    const keyed = value as Kinds["value"];
    const prefix = [keyed.agentId, keyed.scope, keyed.key];
    want(readNames.value(keyed), find("value", { index: "byKey", prefix, limit: 1 }));
  } else if (kind === "conduit") {
    const { fromId, toId } = value as Kinds["conduit"];
    for (const id of [fromId, toId]) wantAny({ kind: "grain", id });
    for (const id of idsOf({ kind: "grain", id: fromId }, aside))
      want(readNames.edges(id), find("conduit", { index: "byEnds", prefix: [id], limit: most }));
  } else wantAny({ kind: "grain", id: (value as Kinds["feedback"]).grainId });
}
