import type { Config } from "../config.ts";
import { FluxStore, storeFile } from "../flux-store.ts";
import type { Instance } from "./instance.ts";
import { writeNewPrivateFile } from "./private-files.ts";

/** The database file of an instance: its own, or what STORE names; undefined for a store that is none. */
export function instanceFile(
  { databaseFile, folder }: Instance,
  { STORE = databaseFile }: Config,
): string | undefined {
  return storeFile(STORE, folder);
}

/**
 * The store of an instance.
 *
 * @param options.worker whether a database file is worked on in a thread of its own
 */
export function instanceStore(
  instance: Instance,
  config: Config,
  { worker = false }: { readonly worker?: boolean } = {},
): FluxStore {
  const file = instanceFile(instance, config);
  // The files that SQLite puts beside it are as private as it is.
  if (file === instance.databaseFile) writeNewPrivateFile(file, "");
  return new FluxStore(file ?? (config.STORE as string), { worker: worker && file !== undefined });
}
