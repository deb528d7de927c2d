import { FluxError } from "../model/errors.ts";
import { changeRecord } from "./change-record.ts";
import type { WriteOptions } from "./flux-memory.ts";
import type { MemoryRecord } from "./memory-record.ts";
import type { FluxParts } from "./open-flux.ts";
import type { Scope } from "./scope.ts";

/** Gives every grain of a record the status of what is archived. */
export function archiveRecord(
  parts: FluxParts,
  scope: Scope,
  id: string,
  options: WriteOptions,
): Promise<MemoryRecord> {
  return changeRecord(
    parts,
    scope,
    {
      id,
      request: ["archive", id],
      prepare({ grains }) {
        if (grains.length === 0) {
          throw new FluxError("invalid_argument", "A message without text has no place in recall to lose", {
            hint: "Purge or erase it instead.",
          });
        }
        return { grain: { status: "archived" } };
      },
    },
    options,
  );
}

/** Makes what is archived active again. */
export function unarchiveRecord(
  parts: FluxParts,
  scope: Scope,
  id: string,
  options: WriteOptions,
): Promise<MemoryRecord> {
  return changeRecord(
    parts,
    scope,
    { id, request: ["undo", id], requires: "archived", prepare: () => ({ grain: { status: "active" } }) },
    options,
  );
}
