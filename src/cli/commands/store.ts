import { type Command, Option } from "commander";
import { provenances } from "../../model/provenances.ts";
import type { Provenance } from "../../model/record.ts";
import { act, instanceCommand } from "../command.ts";
import { moment } from "../moment.ts";
import { type ScopeArguments, scopeOf, userOptions } from "../scope-options.ts";
import { standardInputText } from "../standard-input.ts";

interface StoreArguments extends ScopeArguments {
  readonly provenance: Provenance;
  readonly author?: string;
  readonly at?: number;
  readonly pin?: true;
}

export function addStore(program: Command): void {
  const provenance = new Option("--provenance <kind>", "who stands behind it");
  userOptions(
    instanceCommand(
      program,
      "store [text]",
      "Stores a text; without one, or with -, what standard input has.",
    ),
  )
    .option("--session <id>", "the session it belongs to")
    .option("--agent <id>", "the agent it belongs to")
    .addOption(provenance.choices(provenances).default("user_stated"))
    .option("--author <name>", "who said or wrote it")
    .option("--at <time>", "when it was said, such as 2026-03-14 or 2026-03-14T09:30+01:00", moment)
    .option("--pin", "rank it above others that fit as well")
    .action(
      act<StoreArguments, [text?: string]>(async ({ instance, output, signal }, options, given) => {
        const { openMemory } = await import("../open-memory.ts");
        const { storedToWire } = await import("../../service/protocol/translate.ts");
        const { provenance, author, at: statedAt, pin: pinned } = options;
        const content = given === undefined || given === "-" ? await standardInputText(signal) : given;
        await using open = await openMemory(instance);
        const memory = open.flux.for(scopeOf(options));
        const stored = await memory.store(content, { provenance, author, statedAt, pinned, signal });
        const { id, status } = stored;
        const text = status === "stored" ? `stored ${id}` : `known already: ${id}`;
        output.print(storedToWire(stored), text);
        return undefined;
      }),
    );
}
