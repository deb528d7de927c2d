#!/usr/bin/env node
// Runs on Node 18 too, to say what is needed: what needs more is imported behind the check only.
import { nodeProblem } from "../model/node-version.ts";
import { runOnAnotherNode } from "./another-node.ts";

const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  const { main } = await import("./main.ts");
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.exitCode = await runOnAnotherNode(process.argv.slice(1), problem);
}
