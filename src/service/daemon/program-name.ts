/** The command line, by the name under which who called this program can call it again: npx finds another package by the name flux. */
export function programName(env: NodeJS.ProcessEnv = process.env): string {
  return env.npm_command === "exec" ? "npx flux-memory" : "flux";
}
