import type { ZodError } from "zod";
import { FluxError, FluxTypeError } from "../model/errors.ts";

/** Issues that an error tells of, and how much of each. */
const maxIssues = 10;
const longestMessage = 200;

/**
 * What is wrong with what a caller sent, as an error. Names places and never repeats values.
 *
 * @param where they are, as a message calls it, such as "body"
 */
export function invalidInput(where: string, { issues }: ZodError): FluxError {
  const told = issues.slice(0, maxIssues).map(({ path, message }) => ({
    path: path.map(String).join(".").slice(0, longestMessage),
    message: message.slice(0, longestMessage),
  }));
  const [first = { path: "", message: "is invalid" }] = told;
  const place = first.path === "" ? where : `${first.path} in the ${where}`;
  const Type = issues[0]?.code === "invalid_type" ? FluxTypeError : FluxError;
  return new Type("invalid_argument", `${place}: ${first.message}`, { details: { issues: told } });
}
