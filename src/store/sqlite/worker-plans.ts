import { FluxError } from "../../model/errors.ts";
import type { AnyPlan } from "../plan.ts";
import type { PlanName } from "./worker-messages.ts";

/**
 * Imports the module of a plan and finds the plan among its exports.
 *
 * @throws FluxError `plan_unavailable`
 */
export async function loadPlan({ module, name }: PlanName): Promise<AnyPlan> {
  const exports = await importModule(module);
  const plan = Object.values(exports).find((value) => isPlan(value) && value.name === name);
  if (plan !== undefined) return plan as AnyPlan;
  throw new FluxError("plan_unavailable", "The module of a plan does not export it", {
    hint: "Export the plan, by any name, from the module whose import.meta.url it names.",
  });
}

/** Node keeps what was imported, so a module is loaded once. */
async function importModule(module: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(module);
  } catch (cause) {
    throw new FluxError("plan_unavailable", "The module of a plan cannot be loaded in the worker thread", {
      hint: "Define plans in a module of their own, with `module: import.meta.url`.",
      cause,
    });
  }
}

function isPlan(value: unknown): value is AnyPlan {
  if (typeof value !== "object" || value === null) return false;
  const { name, reads, decide } = value as Partial<AnyPlan>;
  return typeof name === "string" && typeof reads === "function" && typeof decide === "function";
}
