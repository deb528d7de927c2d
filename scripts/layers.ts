// Keeps the folders of src/ in layers: a folder imports from itself and from the folders below it, nothing else.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";

/** From top to bottom. Files directly in src/ stand above all of them. */
const layers = [
  "cli",
  "service",
  "integrations",
  "agent",
  "dream",
  "conversation",
  "longterm",
  "memory",
  "flux",
  "graph",
  "facts",
  "recall",
  "durable",
  "language",
  "embed",
  "text",
  "store",
  "model",
];

/** What is wrong with the imports of one file, its path relative to src/. */
export function misplacedImports(path: string, source: string): string[] {
  const own = layerOf(path);
  if (own === topmost) return [];
  if (own === unknown) return [`src/${path}: its folder is not among the layers in scripts/layers.ts`];
  return [...source.matchAll(/(?:\bfrom|\bimport|\bimport\(|new URL\()\s*"(\.[^"]+)"/g)]
    .map(([, specifier = ""]) => specifier)
    .filter((specifier) => {
      const target = normalize(join(dirname(path), specifier));
      // Data that lies beside src/ stands below everything.
      return !target.startsWith("..") && layerOf(target) < own;
    })
    .map((specifier) => `src/${path} imports ${specifier}, which is above it`);
}

const topmost = -2;
const unknown = -1;

function layerOf(path: string): number {
  const [folder = "", ...rest] = path.split(sep);
  return rest.length === 0 ? topmost : layers.indexOf(folder);
}

if (import.meta.main) {
  const src = join(import.meta.dirname, "../src");
  const problems = readdirSync(src, { recursive: true, encoding: "utf8" })
    // Tests may import anything: no user loads them.
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .flatMap((path) => misplacedImports(path, readFileSync(join(src, path), "utf8")));
  console.log(problems.join("\n"));
  process.exitCode = problems.length === 0 ? 0 : 1;
}
