import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** What a memory says is nobody else's business: files and folders that only their owner may read. */
export const privateFile = 0o600;
const privateFolder = 0o700;

/** Creates the folder where it is missing. Returns whether it was. */
export function makePrivateFolder(path: string): boolean {
  return mkdirSync(path, { recursive: true, mode: privateFolder }) !== undefined;
}

/** Writes a file unless there is one. Returns whether there was none. */
export function writeNewPrivateFile(path: string, text: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, "wx", privateFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  try {
    writeFileSync(descriptor, text);
  } catch (error) {
    // A beginning of it would be taken for the whole the next time.
    rmSync(path);
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return true;
}

/** Writes a file so that a reader finds either what was there before or all of the new text. */
export function replacePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { flag: "wx", mode: privateFile });
  renameSync(draft, path);
}
