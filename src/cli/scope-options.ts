import type { Command } from "commander";
import type { ScopeOptions } from "../flux/scope.ts";

/** As commander gives them. */
export interface ScopeArguments {
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
}

/** Adds the options that say whose memory a command is about. */
export function userOptions(command: Command): Command {
  return command
    .option("--user <id>", "whose memory (default: that of no user by name)")
    .option("--namespace <name>", "keeps users of several applications apart (default: default)");
}

export function scopeOf({ user, namespace, session, agent }: ScopeArguments): ScopeOptions {
  return { userId: user ?? null, namespace, sessionId: session, agentId: agent };
}
