import { FluxError } from "../model/errors.ts";
import type { ChangeRequest } from "./change-record.ts";

/** Gives every grain of a record the status of what is archived. */
export function archiving(id: string): ChangeRequest {
  return {
    id,
    request: ["archive", id],
    prepare({ grains }) {
      if (grains.length === 0) {
        throw new FluxError("invalid_argument", "What has no text has no place in recall to lose", {
          hint: "Purge or erase it instead.",
        });
      }
      return { grain: { status: "archived" } };
    },
  };
}

/** Makes what is archived active again. */
export function unarchiving(id: string): ChangeRequest {
  return {
    ...{ id, request: ["undo", id], requires: "archived" },
    prepare: () => ({ grain: { status: "active" } }),
  };
}
