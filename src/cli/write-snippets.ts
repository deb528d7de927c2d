import type { Instance } from "../service/daemon/instance.ts";
import {
  makePrivateFolder,
  replacePrivateFile,
  writeNewPrivateFile,
} from "../service/daemon/private-files.ts";
import type { Snippet } from "./mcp-snippets.ts";

/**
 * Writes snippets to the folder of the instance.
 *
 * @param options.replace whether what is there already is written anew
 * @returns the files that were written
 */
export function writeSnippets(
  { integrationsFolder }: Instance,
  snippets: readonly Snippet[],
  { replace }: { readonly replace: boolean },
): string[] {
  makePrivateFolder(integrationsFolder);
  const written = snippets.filter(({ file, text }) => {
    if (!replace) return writeNewPrivateFile(file, text);
    replacePrivateFile(file, text);
    return true;
  });
  return written.map(({ file }) => file);
}
