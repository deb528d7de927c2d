// Runs on Node 18 too.
import { FluxError } from "./errors.ts";

/** The oldest Node that runs this package: `engines` in the manifest. */
const [neededMajor, neededMinor] = [22, 14] as const;

export function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}

/** What is wrong with a version of Node; undefined where nothing is, or where something else runs this. */
export function nodeProblem(version: string | undefined): FluxError | undefined {
  if (version === undefined || isSupported(version)) return undefined;
  return new FluxError(
    "outdated_node",
    `flux-memory needs Node ${neededMajor}.${neededMinor} or newer; this is v${version}`,
    { hint: "Install it from https://nodejs.org, or add the package `node` to the project." },
  );
}
