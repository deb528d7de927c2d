import type * as z from "zod";
import { problem } from "./problem.ts";

/** What every route can answer instead. */
const problems = {
  default: {
    description: "What went wrong.",
    content: { "application/problem+json": { schema: problem } },
  },
};

/** The responses of a route that answers in JSON. */
export function answers<S extends z.ZodType>(schema: S, description: string) {
  return { 200: { description, content: { "application/json": { schema } } }, ...problems };
}

/** The responses of a route that answers in another form, such as a stream. */
export function streams(type: string, schema: z.ZodType, description: string) {
  return { 200: { description, content: { [type]: { schema } } }, ...problems };
}

/** A body in JSON, which must be there. */
export function jsonOf<S extends z.ZodType>(schema: S) {
  return { body: { required: true, content: { "application/json": { schema } } } };
}
