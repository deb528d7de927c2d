import type { CallToolResult } from "@modelcontextprotocol/server";
import { FluxError } from "../../model/errors.ts";
import { errorToWire, type WireError } from "../protocol/translate.ts";

/**
 * What a tool answers that failed: an error in the protocol's sense, with the code and what can be done about it. Of an error
 * that is not ours nothing is told: its message may hold anything.
 */
export function toolError(thrown: unknown): CallToolResult {
  const error = FluxError.isInstance(thrown) ? errorToWire(thrown) : internalError;
  const { code, message, hint, details } = error;
  const lines = [`error [${code}]: ${message}`];
  if (hint !== undefined) lines.push(`hint: ${hint}`);
  if (details !== undefined) lines.push(`details: ${JSON.stringify(details)}`);
  return {
    isError: true,
    content: [{ type: "text", text: lines.join("\n") }],
    structuredContent: { error },
  };
}

const internalError: WireError = {
  code: "internal_error",
  message: "The call failed",
  hint: "The log of the MCP server says more.",
  retryable: false,
};
