import type { ContractCase } from "../../store/contract/contract-case.ts";
import { blocks } from "./blocks.ts";
import { episodes } from "./episodes.ts";
import { facts } from "./facts.ts";
import { forgetting } from "./forgetting.ts";
import { isolation } from "./isolation.ts";
import { lifecycle } from "./lifecycle.ts";
import { portability } from "./portability.ts";
import { randomUsers } from "./random-users.ts";
import { scored } from "./scored.ts";
import { sessions } from "./sessions.ts";
import { type AgentMemoryContractOptions, memoryCases } from "./suite.ts";

const groups = [
  isolation,
  blocks,
  episodes,
  scored,
  sessions,
  facts,
  forgetting,
  portability,
  lifecycle,
  randomUsers,
];

/**
 * Everything that an agent's memory promises, as cases for any test runner. Cases that need a store that outlives its memory are
 * left out where the options do not offer one.
 *
 * @example
 * for (const { group, name, run, timeout } of agentMemoryContract({ open: (options) => resolveMemory({ store, ...options }) }))
 *   test(`${group}: ${name}`, { timeout }, run);
 */
export function agentMemoryContract(options: AgentMemoryContractOptions): readonly ContractCase[] {
  return memoryCases(groups, options);
}
