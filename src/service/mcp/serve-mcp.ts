import { once } from "node:events";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { readConfig } from "../daemon/config-file.ts";
import type { DaemonLog } from "../daemon/daemon-log.ts";
import type { Instance } from "../daemon/instance.ts";
import { packageVersion } from "../daemon/version.ts";
import { DaemonLink } from "./daemon-link.ts";
import { createMcpServer } from "./mcp-server.ts";

/** The longest message that is read, in bytes: more than the longest text that may be stored takes, each unit of it escaped. */
const maxMessageBytes = 8 * 1024 * 1024;

/**
 * Serves MCP over standard input and output, as a client of the instance's daemon, until the input ends or the signal is
 * aborted. Standard output carries the protocol and nothing else.
 *
 * @throws FluxError `instance_not_found`, `config_invalid` and its like
 */
export async function serveMcp(
  instance: Instance,
  { signal, log }: { readonly signal: AbortSignal; readonly log: DaemonLog },
): Promise<void> {
  const { MCP_SERVER_NAME: name } = readConfig(instance);
  const link = new DaemonLink(instance, log);
  // So that the first call does not wait for the daemon to start; if it cannot, every call says why.
  link.open().catch((error: unknown) => log.error("daemon not started", error));
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: maxMessageBytes,
  });
  const server = serveStdio(
    () =>
      createMcpServer({
        ...{ name, version: packageVersion() },
        use: (call, callSignal) => link.use(call, callSignal),
        onError: (error) => log.error("tool failed", error),
      }),
    { transport, onerror: (error) => log.error("protocol", error) },
  );
  // The input ended, nobody reads the output any more, or a message was too long.
  const closed = new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  await Promise.race([closed, aborted(signal)]);
  await server.close();
  await link.close();
  // Nothing keeps the process but an input that stays open.
  process.stdin.destroy();
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
