import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take minutes begin first, so that no processor waits for the last of them at the end. */
const longest = ["contract.test.ts", "durability.test.ts", "package.test.ts"];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      // PostgreSQL's contract is the longest of all.
      longest.includes(basename(moduleId)) ? (moduleId.includes("postgres") ? 0 : 1) : 2;
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
