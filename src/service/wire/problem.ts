import * as z from "zod";
import { type ErrorCode, errorCodes } from "../../model/errors.ts";

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** An error, by RFC 9457. */
export const problem = z
  .object({
    type: z.string().meta({ description: "A URN that names the code." }),
    title: z.string().meta({ description: "What the code means." }),
    status: z.int().meta({ description: "The HTTP status once more." }),
    detail: z.string().meta({ description: "What is wrong with this request." }),
    code: z.enum([...codes, "internal_error"]).meta({ description: "Stable; programs decide by it." }),
    name: z.enum(["FluxError", "FluxTypeError"]).meta({
      description: "`FluxTypeError` for a value of the wrong type.",
    }),
    hint: z.string().optional().meta({ description: "What can be done about it." }),
    retryable: z.boolean().meta({ description: "Whether the same request may succeed later." }),
    details: z.record(z.string(), z.unknown()).optional().meta({
      description:
        "More about it, by code: `pending` of `feedback_required`, `retry_after` (milliseconds) of `rate_limited`, `issues` of a body or query that does not fit.",
    }),
  })
  .meta({
    id: "Problem",
    example: {
      type: "urn:flux-memory:error:not_found",
      title: "The record does not exist in this partition.",
      status: 404,
      detail: "There is no record with this id",
      code: "not_found",
      name: "FluxError",
      retryable: false,
    },
  });
export type Problem = z.infer<typeof problem>;
