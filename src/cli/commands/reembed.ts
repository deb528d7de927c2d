import type { Command } from "commander";
import { act, instanceCommand } from "../command.ts";
import { Progress } from "../progress.ts";

export function addReembed(program: Command): void {
  instanceCommand(
    program,
    "reembed",
    "Makes the search index of all users anew, while it is in use: with another embedder, or the present one.",
  )
    .option("--embedder <name>", "such as static or openai, see docs/embedders.md (default: the present one)")
    .action(
      act<{ readonly embedder?: string }>(async ({ instance, output, signal }, { embedder }) => {
        const { openMemory } = await import("../open-memory.ts");
        await using open = await openMemory(instance);
        const progress = new Progress();
        try {
          await open.flux.rebuild({
            embedder,
            signal,
            onProgress: ({ done, total }) => progress.show(`${done} of ${total} memories`),
          });
        } finally {
          progress.clear();
        }
        const status = await open.flux.status();
        const id = status.embedder?.id;
        output.print({ embedder: id ?? null }, `The index is new; embedder: ${id ?? "none"}`);
        return undefined;
      }),
    );
}
