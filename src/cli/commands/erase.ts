import type { Command } from "commander";
import type { EraseScope, FluxMemory } from "../../flux/flux-memory.ts";
import { FluxError } from "../../model/errors.ts";
import { act, instanceCommand } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { moment } from "../moment.ts";
import { printableLine } from "../printable.ts";
import { type ScopeArguments, scopeOf, userOptions } from "../scope-options.ts";

interface EraseArguments extends ScopeArguments {
  readonly id?: string;
  readonly from?: number;
  readonly until?: number;
  readonly text?: string;
  readonly all?: true;
  readonly yes?: true;
}

export function addErase(program: Command): void {
  userOptions(
    instanceCommand(
      program,
      "erase",
      "Erases for good, with everything that was derived from it: one record, a session, a time, what holds a text, or all of a user.",
    ),
  )
    .option("--id <id>", "the record with this id, or of the grain with this id")
    .option("--session <id>", "every record of this session")
    .option(
      "--from <time>",
      "what was said at this time or later, such as 2026-03-14; with --session, in it",
      moment,
    )
    .option("--until <time>", "what was said before this time; with --session, in it", moment)
    .option("--text <words>", "whatever holds these words, one after the other")
    .option("--all", "everything in the memory of the user")
    .option("--yes", "do not ask")
    .action(
      act<EraseArguments>(async ({ instance, output, signal }, options): Promise<ExitCode | undefined> => {
        const { openMemory } = await import("../open-memory.ts");
        const { toWire } = await import("../../service/protocol/translate.ts");
        const { user, namespace, yes = false } = options;
        const scope = eraseScope(options);
        await using open = await openMemory(instance);
        const memory = open.flux.for(scopeOf({ user, namespace }));
        if (!yes && !(await confirmed(await whatGoes(memory, scope, user)))) {
          output.note("Nothing was erased.");
          return exitCodes.interrupted;
        }
        const receipt = await memory.erase(scope, { signal });
        const counts = Object.entries(receipt.counts).map(
          ([kind, count]) => `${count} ${kind}${count === 1 ? "" : "s"}`,
        );
        const state =
          receipt.state === "physically_erased" ? "and from the files" : "the files are cleaned later";
        output.print(
          toWire(receipt),
          `erased ${counts.join(", ") || "nothing"}; ${state}\nreceipt ${receipt.id}`,
        );
        return undefined;
      }),
    );
}

function eraseScope({ id, session: sessionId, from, until, text, all }: EraseArguments): EraseScope {
  const scopes: EraseScope[] = [
    ...(id === undefined ? [] : [{ id }]),
    ...timeScope({ sessionId, from, until }),
    ...(text === undefined ? [] : [{ text }]),
    ...(all ? [{ everything: true } as const] : []),
  ];
  const [scope] = scopes;
  if (scope !== undefined && scopes.length === 1) return scope;
  throw new FluxError(
    "invalid_argument",
    "erase takes one of --id, --session, --from and --until, --text, and --all",
    {
      hint: "--from and --until may come with --session.",
    },
  );
}

function timeScope({
  sessionId,
  from,
  until,
}: {
  readonly sessionId: string | undefined;
  readonly from: number | undefined;
  readonly until: number | undefined;
}): EraseScope[] {
  if (from !== undefined) return [{ from, until, sessionId }];
  if (until !== undefined) return [{ until, sessionId }];
  return sessionId === undefined ? [] : [{ sessionId }];
}

async function whatGoes(memory: FluxMemory, scope: EraseScope, user: string | undefined): Promise<string> {
  if ("everything" in scope) {
    return user === undefined
      ? "everything in the memory that belongs to no user by name"
      : `everything in the memory of ${printableLine(user)}`;
  }
  if ("text" in scope) return `whatever holds "${printableLine(scope.text, 80)}"`;
  if ("id" in scope) {
    const record = await memory.get(scope.id);
    return record === undefined
      ? `what has the id ${printableLine(scope.id)}`
      : `"${printableLine(record.text, 80)}"`;
  }
  const { from, until, sessionId } = { from: undefined, until: undefined, ...scope };
  return [
    sessionId === undefined ? "what was said" : `session ${printableLine(sessionId)}`,
    ...(from === undefined ? [] : [`from ${new Date(from).toISOString()}`]),
    ...(until === undefined ? [] : [`until ${new Date(until).toISOString()}`]),
  ].join(" ");
}

async function confirmed(what: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new FluxError("invalid_argument", "erase asks in a terminal only", {
      hint: "With --yes it does not ask.",
    });
  }
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ message: `Erase ${what} for good?`, initialValue: false })) === true;
}
