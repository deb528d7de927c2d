import { type Insert, insert } from "../batch.ts";
import type { Kind, Kinds } from "../schema.ts";

/** A moment that no clock of the suite shows, so that none is taken for it. */
export const past = Date.UTC(2019, 6, 14, 12, 30, 15, 250);

export function message(content: string, more: Partial<Kinds["message"]> = {}): Insert<"message"> {
  return insert("message", { sessionId: "session", role: "user", content, saidAt: past, ...more });
}

export function note(content: string, more: Partial<Kinds["text"]> = {}): Insert<"text"> {
  return insert("text", { form: "note", content, provenance: "user_stated", statedAt: past, ...more });
}

export function fact(object: string, more: Partial<Kinds["fact"]> = {}): Insert<"fact"> {
  return insert("fact", {
    ...{ factId: "lives", subject: "user", predicate: "lives in", object },
    ...{ subjectKey: "user", objectKey: "place", recordedFrom: past },
    ...{ affirmed: true, confidence: 0.75, provenance: "user_stated", status: "current" },
    ...more,
  });
}

export function grain(ownerKind: Kinds["grain"]["ownerKind"], ownerId: string): Kinds["grain"] {
  return { ownerKind, ownerId, status: "active", provenance: "user_stated", saidAt: past };
}

export function conduit(fromId: string, toId: string, relation = "next"): Kinds["conduit"] {
  return { fromId, toId, relation, weight: 0.5, useCount: 0 };
}

export function value(key: string, stored: Kinds["value"]["value"]): Insert<"value"> {
  return insert("value", { agentId: "agent", scope: "scope", key, value: stored });
}

export function block(name: string, content = ""): Insert<"block"> {
  return insert("block", { name, content, position: 0 });
}

/** With an id of the caller's own. */
export function named<K extends Kind>(
  id: string,
  { kind, value, sources }: Insert<K>,
  ...from: readonly (readonly [Kind, string])[]
): Insert<K> {
  const given = from.map(([kind, id]) => ({ kind, id }));
  return { type: "insert", kind, value, id, sources: [...(sources ?? []), ...given] };
}

/** One record of each kind with every property that it can have. `expiresAt` is far away. */
export const fullRecords: { readonly [K in Kind]: Kinds[K] } = {
  message: {
    sessionId: "s-1",
    agentId: "a-1",
    role: "assistant",
    content: "Let me look that up.",
    name: "Ada",
    toolCalls: [{ id: "call-1", name: "look_up", arguments: { q: "weather", n: 3, deep: [true, null] } }],
    toolCallId: "call-0",
    saidAt: past,
    metadata: { topic: "weather", turn: 7, urgent: false, tags: ["a", "b"], snake_case: 1, camelCase: 2 },
    expiresAt: Date.UTC(2100, 0, 1),
  },
  episode: {
    sessionId: "s-1",
    agentId: "a-1",
    input: "What is 6 × 7?",
    output: "42",
    transcript: [{ tool: "multiply", result: 42 }],
    occurredAt: past,
    metadata: { none: "" },
    expiresAt: Date.UTC(2100, 0, 1),
  },
  text: {
    sessionId: "s-1",
    agentId: "a-1",
    form: "summary",
    content: "They spoke about the weather.",
    contentKey: "key of the content",
    provenance: "ai_inferred",
    statedAt: -1,
    metadata: {},
    expiresAt: Date.UTC(2100, 0, 1),
  },
  grain: {
    sessionId: "s-1",
    agentId: "a-1",
    ownerKind: "message",
    ownerId: "message",
    start: 0,
    end: 6,
    status: "dormant",
    provenance: "ai_stated",
    author: "Ada",
    importance: 0.1,
    pinned: false,
    mentions: 2,
    supersededBy: "other-grain",
    saidAt: past,
    metadata: { empty: [] },
    expiresAt: Date.UTC(2100, 0, 1),
  },
  fact: {
    sessionId: "s-1",
    agentId: "a-1",
    factId: "f",
    subject: "user",
    predicate: "eats",
    object: "meat",
    subjectKey: "user",
    objectKey: "meat",
    affirmed: false,
    confidence: 1 / 3,
    provenance: "external_source",
    validFrom: { at: past, precision: "season", words: "last summer", zone: "Europe/Berlin" },
    validUntil: { at: past + 1, precision: "instant" },
    status: "retired",
    recordedFrom: past - 1,
    retiredAt: past,
    retiredReason: "superseded",
    mentions: 1,
    evidence: [
      { saidAt: past, provenance: "external_source", confidence: 1 / 3, sessionId: "s-1", agentId: "a-1" },
      {
        ...{ saidAt: past + 1, provenance: "user_stated", confidence: 1, ends: true },
        validFrom: { at: past, precision: "season", words: "last summer", zone: "Europe/Berlin" },
        validUntil: { at: past + 1, precision: "instant" },
        sources: [
          { kind: "message", id: "message", start: 0, end: 6 },
          { kind: "text", id: "text" },
        ],
      },
    ],
    reason: "moved",
    expiresAt: Date.UTC(2100, 0, 1),
  },
  block: {
    agentId: "a-1",
    name: "persona",
    content: "Kind.",
    position: -3,
    pinned: true,
    maxBytes: 2000,
    updatedAt: past,
  },
  value: { agentId: "a-1", scope: "user", key: "colour", value: { nested: [1, "two", null, { three: 3 }] } },
  conduit: {
    fromId: "grain",
    toId: "other-grain",
    relation: "next",
    weight: 0.1 + 0.2,
    useCount: 12,
    lastUsedAt: past,
  },
  trace: {
    sessionId: "s-1",
    agentId: "a-1",
    query: "weather?",
    hits: [
      { grainId: "grain", score: 0.7 },
      { grainId: "gone", score: -1.5 },
    ],
    caller: "mcp:reader",
    feedback: "complete",
    expiresAt: Date.UTC(2100, 0, 1),
  },
  feedback: { traceId: "trace", grainId: "grain", caller: "mcp:reader", useful: false },
};

/** One record of each kind with what it must have. */
export const bareRecords: { readonly [K in Kind]: Kinds[K] } = {
  message: { sessionId: "s-2", role: "user", content: "", saidAt: 0 },
  episode: { input: "", output: "", occurredAt: 0 },
  text: { form: "note", content: "", provenance: "user_stated", statedAt: 0 },
  grain: {
    ownerKind: "message",
    ownerId: "message",
    status: "active",
    provenance: "user_stated",
    saidAt: 0,
  },
  fact: {
    ...{
      factId: "f",
      subject: "s",
      predicate: "p",
      object: "",
      subjectKey: "s",
      objectKey: "o",
      recordedFrom: 0,
    },
    ...{ affirmed: true, confidence: 0, provenance: "user_stated", status: "current" },
  },
  block: { name: "n", content: "", position: 0 },
  value: { agentId: "a", scope: "s", key: "k", value: null },
  conduit: { fromId: "other-grain", toId: "grain", relation: "back", weight: 0, useCount: 0 },
  trace: { query: "", hits: [] },
  feedback: { traceId: "gone", grainId: "other-grain", useful: true },
};

/** Inserts of every full and every bare record; the full ones have their kind as their id, the bare ones `bare-` before it. */
export function inventory(): Insert[] {
  const full = Object.entries(fullRecords) as [Kind, Kinds[Kind]][];
  const bare = Object.entries(bareRecords) as [Kind, Kinds[Kind]][];
  return [
    ...full.map(([kind, value]) => insert(kind, value, { id: kind })),
    ...bare.map(([kind, value]) => insert(kind, value, { id: `bare-${kind}` })),
    insert("grain", grain("message", "message"), { id: "other-grain" }),
  ];
}
