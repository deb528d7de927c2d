import type { CallToolResult } from "@modelcontextprotocol/server";
import { FluxError, type FluxErrorJson } from "../../model/errors.ts";
import { toWire } from "../protocol/translate.ts";

/**
 * What a tool answers that failed: an error in the protocol's sense, with the code and what can be done about it. Of an error
 * that is not ours nothing is told: its message may hold anything.
 */
export function toolError(thrown: unknown): CallToolResult {
  const { code, message, hint, retryable, details } = FluxError.isInstance(thrown)
    ? thrown.toJSON()
    : internalError;
  const error = {
    ...{ code, message, retryable },
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details: toWire(details) }),
  };
  const lines = [`error [${code}]: ${message}`];
  if (hint !== undefined) lines.push(`hint: ${hint}`);
  if (details !== undefined) lines.push(`details: ${JSON.stringify(error.details)}`);
  return {
    isError: true,
    content: [{ type: "text", text: lines.join("\n") }],
    structuredContent: { error },
  };
}

type ToldError = Omit<FluxErrorJson, "name" | "code"> & { readonly code: string };

const internalError: ToldError = {
  code: "internal_error",
  message: "The call failed",
  hint: "The log of the MCP server says more.",
  retryable: false,
};
