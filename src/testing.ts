/**
 * Aids for tests: a clock and randomness that the test decides, and the contracts that every ledger and every agent's memory must
 * fulfil, for authors of adapters. Needs Node, and no test runner in particular.
 *
 * @module
 */

export { agentMemoryContract } from "./memory/contract/memory-contract.ts";
export { type RandomUsersOptions, runRandomUsers } from "./memory/contract/random-users.ts";
export type { AgentMemoryContractOptions } from "./memory/contract/suite.ts";
export type { ContractCase, LedgerContractOptions } from "./store/contract/contract-case.ts";
export { ledgerContract } from "./store/contract/ledger-contract.ts";
export { ManualClock } from "./store/contract/manual-clock.ts";
export { type RandomOperationsOptions, runRandomOperations } from "./store/contract/random-operations.ts";
export { seededRandomness } from "./store/contract/seeded-randomness.ts";
