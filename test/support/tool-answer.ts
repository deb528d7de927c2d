import type { Client } from "@modelcontextprotocol/client";

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a tool answers is looked at as a client does
  readonly data: any;
}

export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args });
  const [part] = content;
  return { isError, text: part?.type === "text" ? part.text : "", data: structuredContent };
}
