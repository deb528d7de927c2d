/** `node scripts/simd/assemble.ts --update`: writes the module of `products.wat` into src/, where a test compares the two. */
import { readFileSync, writeFileSync } from "node:fs";
import wabt from "wabt";

const source = new URL("products.wat", import.meta.url);
const target = new URL("../../src/store/products-module.ts", import.meta.url);

/** The TypeScript file that holds the assembled module. */
export async function productsModuleFile(): Promise<string> {
  const assembler = await wabt();
  const { buffer } = assembler
    .parseWat(source.pathname, readFileSync(source, "utf8"), { simd: true })
    .toBinary({ write_debug_names: false });
  const text = Buffer.from(buffer).toString("base64");
  const lines = text.match(/.{1,100}/g)?.map((line) => `  "${line}",`) ?? [];
  return [
    "/** The WebAssembly module of `scripts/simd/products.wat`, written by `scripts/simd/assemble.ts`: base64. */",
    "export const productsModule = [",
    ...lines,
    '].join("");',
    "",
  ].join("\n");
}

if (process.argv.includes("--update")) writeFileSync(target, await productsModuleFile());
