import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const pages = globSync(["*.md", "docs/**/*.md", "examples/*.md"], { cwd: root });

interface Link {
  /** Relative to the page; empty for the page itself. */
  readonly path: string;
  readonly anchor: string | undefined;
}

/** Links to files and headings of the repository, outside of blocks of code. */
function linksOf(page: string): readonly Link[] {
  const text = textOf(page).replaceAll(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].map(([, path = "", anchor]) => ({
    path,
    anchor,
  }));
}

/** Anchors of headings, as GitHub makes them. */
function anchorsOf(page: string): readonly string[] {
  return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function textOf(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

it("has pages with links", () => {
  expect(pages.length).toBeGreaterThan(10);
  expect(linksOf("README.md").length).toBeGreaterThan(10);
});

it.each(pages)("%s links to files and headings that are there", (page) => {
  const broken = linksOf(page).filter(({ path, anchor }) => {
    const target = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
  expect(broken).toEqual([]);
});
