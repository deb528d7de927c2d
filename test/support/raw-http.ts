import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";

/** A connection over which bytes were sent as they are. */
export async function connected(port: number, ...parts: string[]): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  for (const part of parts) socket.write(part);
  return socket;
}

/** Sends bytes as they are, and returns all that comes back. The server closes the connection, or the test's time is up. */
export async function send(port: number, ...parts: string[]): Promise<string> {
  return text(await connected(port, ...parts));
}

/** A request with a body, after which the server closes the connection. */
export function raw(line: string, headers: readonly string[], body = ""): string {
  return `${[line, ...headers, `Content-Length: ${Buffer.byteLength(body)}`, "Connection: close"].join("\r\n")}\r\n\r\n${body}`;
}

export const json = "Content-Type: application/json";
