import { existsSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { resolveEmbedder } from "../../embed/resolve.ts";
import { resolveLanguageModel } from "../../language/resolve.ts";
import { FluxError } from "../../model/errors.ts";
import type { Config } from "../../service/config.ts";
import type { Instance } from "../../service/daemon/instance.ts";
import { instanceFile } from "../../service/daemon/instance-store.ts";
import { languageModelOf } from "../../service/flux-options.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** Whether the pages of the database fit together. The daemon may use it meanwhile. */
export function checkDatabase(instance: Instance, config: Config): Finding {
  const path = instanceFile(instance, config);
  if (path === undefined) return ok("database", "on a server, which is not looked into");
  if (!existsSync(path)) return ok("database", "none yet; the first start makes it");
  const size = `${(statSync(path).size / 1e6).toFixed(1)} MB`;
  const repair = "Stop the daemon and put a backup in its place.";
  try {
    return quickCheck(path)
      ? ok("database", `${size}, intact`)
      : failed("database", `${path} is damaged`, repair);
  } catch (error) {
    const { code = "" } = error as { readonly code?: string };
    if (code.startsWith("SQLITE_BUSY")) return warning("database", "in use", "Try again.");
    const damaged = /^SQLITE_(CORRUPT|NOTADB)/.test(code);
    const access =
      "SQLite must be able to write to it and beside it: see its permissions and its file system.";
    return failed("database", `${path} cannot be read (${code})`, damaged ? repair : access);
  }
}

function quickCheck(path: string): boolean {
  const database = new Database(path, { readonly: true, timeout: 1000 });
  try {
    return database.prepare("PRAGMA quick_check(1)").pluck().get() === "ok";
  } finally {
    database.close();
  }
}

/** Milliseconds for a service to answer. */
const patience = 10_000;

/** Has the embedder make a vector, so that a key that is not taken and a package that is missing are found. */
export async function checkEmbedder({ EMBEDDER }: Config, signal: AbortSignal): Promise<Finding> {
  if (EMBEDDER === "none") return ok("embedder", "none, as configured");
  try {
    const embedder = await resolveEmbedder(EMBEDDER);
    const within = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
    await embedder.embed(["test"], { kind: "document", signal: within });
    return ok("embedder", `${embedder.id}, ${embedder.dimensions} dimensions`);
  } catch (error) {
    signal.throwIfAborted();
    return failed(
      "embedder",
      wordsOf(error),
      hintOf(error) ?? "Recall goes on by words alone until it answers.",
    );
  }
}

/** Whether the language model is there; texts are kept without it as well. */
export async function checkModel(config: Config, signal: AbortSignal): Promise<Finding> {
  const choice = languageModelOf(config);
  if (choice === false) {
    const mode = config.OPERATING_MODE;
    return ok(
      "language model",
      mode === "caller_extracts" ? `none needed in ${mode}` : "none, as configured",
    );
  }
  try {
    const resolved = resolveLanguageModel(choice);
    const { probe } = await resolved.load();
    await probe?.(AbortSignal.any([signal, AbortSignal.timeout(patience)]));
    return ok("language model", probe === undefined ? `${resolved.name}, not asked` : resolved.name);
  } catch (error) {
    signal.throwIfAborted();
    const fix = hintOf(error) ?? "Start the server at LLM_BASE_URL, or set LLM_MODEL to none.";
    return warning("language model", `${wordsOf(error)}; facts are derived by rules alone`, fix);
  }
}

function wordsOf(error: unknown): string {
  return FluxError.isInstance(error) ? `${error.message} (${error.code})` : "does not work";
}

function hintOf(error: unknown): string | undefined {
  return FluxError.isInstance(error) ? error.hint : undefined;
}
