/** Milliseconds of a processor that a call takes: they do not grow with what else the machine does. */
export function cpuTime(call: () => unknown): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
