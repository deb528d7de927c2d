import { readFileSync } from "node:fs";
import { expect } from "vitest";

/** Expects that parts of a document, each between two comments of its name, are as they are made; `--update` writes them. */
export async function expectParts(file: URL, parts: Readonly<Record<string, string>>): Promise<void> {
  let text = readFileSync(file, "utf8");
  for (const [name, part] of Object.entries(parts)) {
    const pattern = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- end of ${name} -->)`);
    expect(text).toMatch(pattern);
    text = text.replace(pattern, (_, begin: string, end: string) => `${begin}\n${part}\n${end}`);
  }
  await expect(text).toMatchFileSnapshot(file.pathname);
}
