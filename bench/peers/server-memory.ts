import { join } from "node:path";
import { McpProcess } from "./mcp-process.ts";
import { peerFile, peerVersion } from "./peer-packages.ts";
import { type PeerContender, plain } from "./peer-store.ts";

/** As its users run it: a process that is spoken to over stdio. A text is an entity with one observation. */
export function serverMemory(): PeerContender {
  const name = "@modelcontextprotocol/server-memory";
  return {
    name: "server-memory",
    about:
      `${name} ${peerVersion(name)}: a JSON file that is read and written whole; no users, no ranking; ` +
      "it looks for a query as one string, so it is asked for one long word alone, and returns all that have it",
    open: async (folder) => {
      const program = peerFile(`${name}/dist/index.js`);
      const server = await McpProcess.start([program], { MEMORY_FILE_PATH: join(folder, "memory.jsonl") });
      const call = (tool: string, input: Record<string, unknown>) =>
        server.call<{ readonly entities: readonly unknown[] }>(tool, input);
      return {
        add: (texts) =>
          call("create_entities", {
            entities: texts.map((text) => ({
              name: `text-${text.number}`,
              entityType: "turn",
              observations: [plain(text)],
            })),
          }),
        search: async ({ topics }) => {
          const [longest = ""] = [...topics].sort((a, b) => b.length - a.length);
          return (await call("search_nodes", { query: longest })).entities.length;
        },
        count: async () => (await call("read_graph", {})).entities.length,
        [Symbol.asyncDispose]: () => server.close(),
      };
    },
  };
}
