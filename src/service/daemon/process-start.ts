import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * When a process began, in the words of the system: with its id, which the system gives to others later, this names one
 * process. Undefined when there is no such process, or where this cannot be asked.
 */
export function processStart(pid: number): string | undefined {
  try {
    return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined;
  }
}

/** Fields of proc(5) after the name of the program, which is in brackets and may hold anything: state, …, ticks from boot to start. */
function fromProc(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // One that has ended and was not yet asked how.
  if (fields[0] === "Z") return undefined;
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return fields[19] === undefined ? undefined : `${boot} ${fields[19]}`;
}

function fromPs(pid: number): string | undefined {
  if (process.platform === "win32") return undefined;
  const env = { LC_ALL: "C", TZ: "UTC" };
  const started = execFileSync("/bin/ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8", env });
  return started.trim() || undefined;
}
