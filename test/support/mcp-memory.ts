import type { FluxRecallOptions } from "../../src/flux/flux-memory.ts";
import type { ScopeOptions } from "../../src/flux/scope.ts";
import { isEpisode, type StoreItem, type StoreResult } from "../../src/flux/store-items.ts";
import { FluxError } from "../../src/model/errors.ts";
import { idProblem } from "../../src/model/ids.ts";
import {
  fromWire,
  pageFromWire,
  recallFromWire,
  storedFromWire,
} from "../../src/service/protocol/translate.ts";
import type { ProbeMemory } from "../probes/probe.ts";
import type { ToolAnswer } from "./tool-answer.ts";

type Call = (name: string, args: Record<string, unknown>) => Promise<ToolAnswer>;

/**
 * The SDK's memory as far as the tools reach.
 *
 * @param missing told of what they cannot do, which fails
 */
export function mcpMemory(callTool: Call, scope: ScopeOptions, missing: (what: string) => void): ProbeMemory {
  const miss = (what: string): never => {
    missing(what);
    throw new Error(`MCP has no tool for ${what}`);
  };
  const refuseOthers = (options: object): void => {
    for (const name of Object.keys(defined(options))) miss(name);
  };
  const { userId, namespace, sessionId, agentId, caller } = scope;
  const who = {
    ...(userId === null ? {} : { user_id: userId }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(caller === undefined ? {} : { caller_id: caller }),
  };
  const labels = {
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    ...(agentId === undefined ? {} : { agent_id: agentId }),
  };
  const call = async (name: string, args: Record<string, unknown>) => {
    const { isError, data } = await callTool(name, { ...args, ...who });
    if (isError) throw FluxError.fromJSON({ name: "FluxError", ...data.error });
    return data;
  };
  const storeItem = async (item: StoreItem, operation?: string): Promise<StoreResult> => {
    const { said, metadata, importance, pinned, expiresAt, sessionId: session, ...others } = saidIn(item);
    refuseOthers(others);
    const stored = await call("flux_store", {
      ...labels,
      ...defined({ ...said, metadata, importance, pinned }),
      ...defined({ expires_at: expiresAt, session_id: session, operation_id: operation }),
    });
    return storedFromWire(stored);
  };
  const none = (what: string) => async (): Promise<never> => miss(what);
  return {
    store: async (text, { operation, signal: _, ...options } = {}) =>
      storeItem({ text, ...options }, operation),
    async storeBatch(items, { operation } = {}) {
      if (operation !== undefined) miss("batches");
      const results: StoreResult[] = [];
      for (const item of items) results.push(await storeItem(item));
      return results;
    },
    async recall(query, { k, maxTokens, askedAt, zone, where = {}, ...options }: FluxRecallOptions = {}) {
      const { sessionIds, from, until, filter, ...conditions } = where;
      refuseOthers({ ...options, ...conditions });
      const conditionsOf = { session_ids: sessionIds, from, until, filter };
      const args = { limit: k, max_tokens: maxTokens, asked_at: askedAt, zone, ...conditionsOf };
      return recallFromWire(await call("flux_retrieve", { query, ...labels, ...defined(args) }));
    },
    async list({ status, order, limit, after, filter, sessionId: session, agentId: agent, ...options } = {}) {
      refuseOthers(options);
      const args = { status, order, limit, after, filter, session_id: session, agent_id: agent };
      const { count: _, ...page } = await call("flux_list_grains", defined(args));
      if (page.grains.some(({ truncated }: { truncated?: true }) => truncated)) miss("long texts in full");
      return pageFromWire(page);
    },
    feedback: async (traceId, grainId, { useful }) =>
      fromWire(await call("flux_feedback", { trace_id: traceId, grain_id: grainId, useful })),
    async pendingFeedback({ limit, ...options } = {}) {
      refuseOthers(options);
      const { pending_traces } = await call("flux_pending_feedback", defined({ limit }));
      return fromWire(pending_traces);
    },
    // By looking through the list.
    async get(id) {
      if (typeof id !== "string" || idProblem(id) !== undefined) miss("one record");
      for (let after: string | undefined; ; ) {
        const { items, cursor } = await this.list({ limit: 200, after });
        const found = items.find((record) => record.id === id || record.grainIds.includes(id));
        if (found !== undefined || cursor === undefined) return found;
        after = cursor;
      }
    },
    update: none("changes"),
    archive: none("archiving"),
    erase: none("erasing"),
  };
}

/** An item with what texts and messages call by names of their own as the tool calls it. */
function saidIn(item: StoreItem) {
  if ("role" in item) {
    const { role, content, name, saidAt, ...rest } = item;
    return { ...rest, said: { content, message_role: role, author: name, said_at: saidAt } };
  }
  if (isEpisode(item)) throw new Error("No tool stores episodes");
  const { text, provenance = "user_stated", author, statedAt, ...rest } = item;
  return { ...rest, said: { content: text, provenance, author, said_at: statedAt } };
}

function defined(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
