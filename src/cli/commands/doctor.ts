import type { Command } from "commander";
import { FluxError } from "../../model/errors.ts";
import type { Config } from "../../service/config.ts";
import { type Instance, requireInstance } from "../../service/daemon/instance.ts";
import { act, instanceCommand } from "../command.ts";
import { type Finding, failed, ok } from "../doctor/finding.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";

export function addDoctor(program: Command): void {
  instanceCommand(
    program,
    "doctor",
    "Checks what an instance needs: Node, permissions, configuration, database, port, embedder, language model, disk and snippets.",
  ).action(
    act(async ({ instance, output, signal }): Promise<ExitCode | undefined> => {
      requireInstance(instance);
      const findings = await examine(instance, signal);
      const bad = findings.filter(({ result }) => result === "failed").length;
      const lines = findings.map(({ check, result, detail, fix }) => {
        const line = `${marks[result]} ${check}: ${detail}`;
        return fix === undefined ? line : `${line}\n  ${fix}`;
      });
      output.print({ name: instance.name, healthy: bad === 0, findings }, lines.join("\n"));
      return bad === 0 ? undefined : exitCodes.failed;
    }),
  );
}

const marks: Readonly<Record<Finding["result"], string>> = { ok: "✓", warning: "!", failed: "✗" };

async function examine(instance: Instance, signal: AbortSignal): Promise<Finding[]> {
  const { checkDisk, checkPermissions, checkSnippets } = await import("../doctor/check-files.ts");
  const files = [
    // An older one than is needed does not come to this: see bin.ts.
    ok("node", process.versions.node),
    ...[checkPermissions(instance), checkDisk(instance), checkSnippets(instance)],
  ];
  const config = await configOf(instance);
  // What the rest would be checked against is not known.
  if ("result" in config) return [...files, config];
  const { checkDaemon } = await import("../doctor/check-daemon.ts");
  const { checkDatabase, checkEmbedder, checkModel } = await import("../doctor/check-memory.ts");
  return [
    ...files,
    ok("config", instance.configFile),
    await checkDaemon(instance, config, signal),
    checkDatabase(instance, config),
    await checkEmbedder(config, signal),
    await checkModel(config, signal),
  ];
}

async function configOf(instance: Instance): Promise<Config | Finding> {
  const { readConfig } = await import("../../service/daemon/config-file.ts");
  try {
    return readConfig(instance);
  } catch (error) {
    if (!FluxError.isInstance(error)) throw error;
    return failed("config", error.message, error.hint ?? "docs/service.md lists the keys and their values.");
  }
}
