import type { Command } from "commander";
import type { RecallHit } from "../../recall/result.ts";
import { act, instanceCommand } from "../command.ts";
import { printable, printableLine } from "../printable.ts";
import { type ScopeArguments, scopeOf, userOptions } from "../scope-options.ts";
import { signalWords } from "../signal-words.ts";
import { wholeNumber } from "../whole-number.ts";

interface SearchArguments extends ScopeArguments {
  readonly limit: number;
}

export function addSearch(program: Command): void {
  userOptions(
    instanceCommand(
      program,
      "search <query>",
      "Finds what is remembered about a query, and says why it was found.",
    ),
  )
    .option("--session <id>", "only what belongs to this session")
    .option("--agent <id>", "only what belongs to this agent")
    .option("--limit <count>", "results at most, 1 to 100", wholeNumber(1, 100), 10)
    .action(
      act<SearchArguments, [query: string]>(async ({ instance, output, signal }, options, query) => {
        const { openMemory } = await import("../open-memory.ts");
        const { recallToWire } = await import("../../service/protocol/translate.ts");
        const { user, namespace, session, agent, limit } = options;
        await using open = await openMemory(instance);
        const found = await open.flux.for(scopeOf({ user, namespace })).recall(query, {
          k: limit,
          where: {
            ...(session === undefined ? {} : { sessionIds: [session] }),
            ...(agent === undefined ? {} : { agentIds: [agent] }),
          },
          signal,
        });
        for (const { reason } of found.degraded ?? []) output.note(`degraded: ${reason}`);
        const hits = found.hits.map((hit, i) => described(hit, i + 1));
        const text = [`confidence ${found.confidence.toFixed(2)}`, ...hits].join("\n\n");
        output.print(recallToWire(found), hits.length === 0 ? "Nothing was found." : text);
        return undefined;
      }),
    );
}

function described(hit: RecallHit, place: number): string {
  const { text, author, provenance, saidAt, status, sessionId, signals, score, owner } = hit;
  const facts = [
    new Date(saidAt).toISOString().slice(0, 16).replace("T", " "),
    printableLine(author ?? provenance),
    ...(status === "active" ? [] : [status]),
    ...(sessionId === undefined ? [] : [`session ${printableLine(sessionId)}`]),
  ];
  const reasons = signals.map(({ name }) => signalWords[name] ?? name);
  return [
    `${place}. ${printable(text).replaceAll("\n", "\n   ")}`,
    `   ${facts.join(", ")}`,
    `   found by ${reasons.join(", ")}; score ${score.toFixed(2)}`,
    `   ${owner.id}`,
  ].join("\n");
}
