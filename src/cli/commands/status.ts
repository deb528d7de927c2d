import type { Command } from "commander";
import type { DaemonStatus } from "../../service/daemon/daemon-status.ts";
import { requireInstance } from "../../service/daemon/instance.ts";
import { act, instanceCommand } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";

export function addStatus(program: Command): void {
  instanceCommand(
    program,
    "status",
    "Tells whether the daemon of an instance runs, where it listens, and how its memory is.",
  ).action(
    act(async ({ instance, output, signal }): Promise<ExitCode | undefined> => {
      requireInstance(instance);
      const { findDaemon, unresponsive } = await import("../../service/daemon/find-daemon.ts");
      const { daemonStatus } = await import("../../service/daemon/daemon-status.ts");
      const { toWire } = await import("../../service/protocol/translate.ts");
      const { name, folder } = instance;
      const found = await findDaemon(instance, { signal });
      const { state } = found;
      if (state === "unresponsive") throw unresponsive(instance, found.record);
      if (state !== "running") {
        const text = state === "stopped" ? `${name} is not running` : `${name} is ${state}`;
        output.print({ name, folder, state }, text);
        return exitCodes.notRunning;
      }
      const { url, pid, version, started_at } = found.record;
      const status = await daemonStatus(found.record, signal);
      const lines = [
        `${name} is running, process ${pid}, version ${version}, since ${new Date(started_at).toISOString()}`,
        ...table([["folder", folder], ["REST API", url], ...rowsOf(status)]),
      ];
      output.print(
        { name, folder, state, url, pid, version, started_at, ...toWire(status) },
        lines.join("\n"),
      );
      return undefined;
    }),
  );
}

type Row = readonly [label: string, text: string];

function table(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, text]) => `${label.padEnd(width)}  ${text}`);
}

function rowsOf({ service, memory }: DaemonStatus): Row[] {
  if (service === undefined) return [["service", "does not say how it is"]];
  const rows: Row[] = [["service", service.status]];
  const { store, embedder, extraction, pending } = service.memory ?? {};
  const model = extraction?.model === undefined ? "" : `, ${extraction.model}`;
  rows.push(["mode", `${service.operatingMode}${model}`]);
  if (store !== undefined) rows.push(["store", `${store.adapter}, ${durabilities[store.durability]}`]);
  if (service.memory !== undefined)
    rows.push(["embedder", embedder === undefined ? "none" : `${embedder.id}${missing(embedder)}`]);
  if (memory !== undefined) {
    const grains = Object.entries(memory.grains).filter(([, count]) => count > 0);
    const counts = grains.map(([status, count]) => `${count} ${status}`).join(", ");
    rows.push(["grains", counts || "none"], ["size", `${memory.bytes} bytes`]);
  }
  if (pending !== undefined && pending.jobs + pending.dead > 0)
    rows.push(["to do", `${pending.jobs} jobs, ${pending.dead} that failed too often`]);
  for (const { code, reason } of service.warnings) rows.push(["warning", `${reason} (${code})`]);
  return rows;
}

const durabilities = {
  fsync: "on disk before a write is answered",
  os: "with the system before a write is answered",
  memory: "in memory only",
} as const;

function missing({ available }: { readonly available: boolean }): string {
  return available ? "" : ", which this daemon does not have";
}
