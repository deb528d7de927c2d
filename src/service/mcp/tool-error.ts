import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ZodError } from "zod";
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

const maxIssues = 10;
const longestMessage = 300;

/** What is wrong with arguments. Names places and never repeats values. */
export function invalidArguments({ issues }: ZodError): FluxError {
  const told = issues.slice(0, maxIssues).map(({ path, message }) => ({
    argument: path.map(String).join(".").slice(0, longestMessage),
    message: message.slice(0, longestMessage),
  }));
  const [first = { argument: "", message: "they are invalid" }] = told;
  const place = first.argument === "" ? "The arguments" : first.argument;
  return new FluxError("invalid_argument", `${place}: ${first.message}`, { details: { issues: told } });
}
