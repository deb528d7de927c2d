import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectFlux } from "../../src/client.ts";
import { type Embedder, Flux, type MessageItem, type ServedMemory } from "../../src/index.ts";
import { instanceNamed } from "../../src/service/daemon/instance.ts";
import { startDaemon } from "../../src/service/daemon/start-daemon.ts";
import { stopDaemon } from "../../src/service/daemon/stop-daemon.ts";
import { configYaml } from "../../src/service.ts";
import { speedHits } from "../speed-store.ts";
import type { SpeedText } from "../speed-texts.ts";
import { McpProcess } from "./mcp-process.ts";
import type { PeerContender, PeerStore } from "./peer-store.ts";

/** When questions are asked, after all that was said. */
const askedAt = Date.UTC(2040, 0, 1);
const userId = "user-0";

/** Ours, as a library. */
export function fluxInProcess(embedder: Embedder): PeerContender {
  return {
    name: "flux in process",
    about: "the SDK on a SQLite file, as it is by default: index of words and vectors, traces, change feed",
    open: async (folder) => {
      const flux = await Flux.open(`sqlite:${join(folder, "memory.db")}`, { embedder });
      return { ...storeOf(flux.for({ userId })), [Symbol.asyncDispose]: () => flux.close() };
    },
  };
}

/** Ours, as a service that is a process of its own. */
export function fluxOverRest(): PeerContender {
  return {
    name: "flux over REST",
    about: "the daemon and its client, limits aside",
    open: async (folder) => {
      const { instance, url } = await startBenchDaemon(folder);
      const client = connectFlux(url, { client: "bench", role: "admin" });
      return {
        ...storeOf(client.for({ userId })),
        [Symbol.asyncDispose]: async () => {
          await client.close();
          await stopDaemon(instance);
        },
      };
    },
  };
}

/** Ours, as agents have it: a process that is spoken to over stdio, and hands on to the daemon. It stores one text a call. */
export function fluxOverMcp(): PeerContender {
  return {
    name: "flux over MCP",
    about:
      "flux mcp over stdio, in front of the same daemon; flux_store takes one text, so 100 are 100 calls at once",
    open: async (folder) => {
      const { instance, url } = await startBenchDaemon(folder);
      const client = connectFlux(url, { client: "bench", role: "admin" });
      const memory = client.for({ userId });
      const bin = join(import.meta.dirname, "../../src/cli/bin.ts");
      const server = await McpProcess.start([bin, "mcp", "--name", instance.name], { FLUX_HOME: folder });
      const who = { client: "bench", role: "admin", user_id: userId };
      const call = (name: string, input: Record<string, unknown>) =>
        server.call<{ readonly grains: readonly unknown[] }>(name, { ...input, ...who });
      return {
        add: (texts) =>
          Promise.all(
            texts.map(({ speaker, session, saidAt, content }) =>
              call("flux_store", {
                ...{ content, author: speaker, session_id: session, said_at: saidAt },
                provenance: "user_stated",
              }),
            ),
          ),
        search: async (_text, question) =>
          (await call("flux_retrieve", { query: question, limit: speedHits })).grains.length,
        count: () => recordsOf(memory),
        [Symbol.asyncDispose]: async () => {
          await server.close();
          await client.close();
          await stopDaemon(instance);
        },
      };
    },
  };
}

/** A daemon with its files in this folder, which lets everything in. */
async function startBenchDaemon(folder: string) {
  const instance = instanceNamed("bench", folder);
  mkdirSync(instance.folder);
  const config = {
    OPERATING_MODE: "caller_extracts",
    EMBEDDER: "static",
    MAX_GRAINS_PER_MINUTE: 1_000_000,
  } as const;
  writeFileSync(instance.configFile, configYaml(config), { mode: 0o600 });
  return { instance, url: (await startDaemon(instance, { port: 0 })).url };
}

function storeOf(memory: ServedMemory): Omit<PeerStore, typeof Symbol.asyncDispose> {
  return {
    add: (texts) => memory.storeBatch(texts.map(toMessage)),
    search: async (_text, question) => (await memory.recall(question, { k: speedHits, askedAt })).hits.length,
    count: () => recordsOf(memory),
  };
}

async function recordsOf(memory: ServedMemory): Promise<number> {
  let count = 0;
  for (let after: string | undefined; ; ) {
    const { items, cursor } = await memory.list({ limit: 1000, after });
    count += items.length;
    if (cursor === undefined) return count;
    after = cursor;
  }
}

function toMessage({ speaker, session, saidAt, content }: SpeedText): MessageItem {
  return { role: "user", name: speaker, sessionId: session, saidAt, content };
}
