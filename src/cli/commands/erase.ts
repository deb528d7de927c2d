import type { Command } from "commander";
import type { EraseScope, FluxMemory } from "../../flux/flux-memory.ts";
import { FluxError } from "../../model/errors.ts";
import { act, instanceCommand } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { printableLine } from "../printable.ts";
import { type ScopeArguments, scopeOf, userOptions } from "../scope-options.ts";

interface EraseArguments extends ScopeArguments {
  readonly id?: string;
  readonly all?: true;
  readonly yes?: true;
}

/** What the command can name. */
type NamedScope = Extract<EraseScope, { readonly id: string } | { readonly everything: true }> | SessionScope;
interface SessionScope {
  readonly sessionId: string;
}

export function addErase(program: Command): void {
  userOptions(
    instanceCommand(
      program,
      "erase",
      "Erases for good, with everything that was derived from it: one record, a session, or all of a user.",
    ),
  )
    .option("--id <id>", "the record with this id, or of the grain with this id")
    .option("--session <id>", "every record of this session")
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

function eraseScope({ id, session, all }: EraseArguments): NamedScope {
  const scopes: NamedScope[] = [
    ...(id === undefined ? [] : [{ id }]),
    ...(session === undefined ? [] : [{ sessionId: session }]),
    ...(all ? [{ everything: true } as const] : []),
  ];
  const [scope] = scopes;
  if (scope !== undefined && scopes.length === 1) return scope;
  throw new FluxError("invalid_argument", "erase takes one of --id, --session and --all");
}

async function whatGoes(memory: FluxMemory, scope: NamedScope, user: string | undefined): Promise<string> {
  if ("everything" in scope) {
    return user === undefined
      ? "everything in the memory that belongs to no user by name"
      : `everything in the memory of ${printableLine(user)}`;
  }
  if ("sessionId" in scope) return `session ${printableLine(scope.sessionId)}`;
  const record = await memory.get(scope.id);
  if (record === undefined) throw new FluxError("not_found", "There is no record with this id");
  return `"${printableLine(record.text, 80)}"`;
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
