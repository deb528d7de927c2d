import { FluxError } from "../../model/errors.ts";

/** What a database says about itself: its version, and the oldest code that can read and write it. */
export interface StoredVersion {
  readonly version: number;
  readonly minReader: number;
  readonly minWriter: number;
}

/**
 * One step of a database's schema, with the version that it leads to. Steps are only ever added: what was published stays as
 * it is, since databases in the field were made by it.
 */
export interface Migration extends StoredVersion {
  /** Statements, run in one transaction with those of the other missing steps. */
  readonly sql: string;
}

/** The version that code with these steps writes. */
export function latestVersion(list: readonly Migration[]): number {
  return list.at(-1)?.version ?? 0;
}

/** The steps that a database of this version has not seen. */
export function missingSteps(list: readonly Migration[], version: number): readonly Migration[] {
  return list.filter((step) => step.version > version);
}

/**
 * @param required the oldest code that the database allows to do it
 * @param code the version of this code
 * @throws FluxError `outdated`
 */
export function checkVersion(action: "read" | "write to", required: number, code: number): void {
  if (required <= code) return;
  throw new FluxError("outdated", `A newer version of flux-memory is needed to ${action} this database`, {
    hint: `The database asks for schema version ${required}, this version of flux-memory has ${code}: upgrade it.`,
  });
}
