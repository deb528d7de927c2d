/** Other ids that are remembered for what rests on them. */
export const maxRenamed = 100_000;

/** Remembers which record, by name, is there under which id. Those that were noted first are forgotten first. */
export function noteRenamed(renamed: Map<string, string>, name: string, id: string): void {
  renamed.set(name, id);
  const [oldest] = renamed.size > maxRenamed ? renamed.keys() : [];
  if (oldest !== undefined) renamed.delete(oldest);
}
