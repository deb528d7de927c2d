import { readFileSync, rmSync } from "node:fs";
import * as z from "zod";
import { replacePrivateFile } from "./private-files.ts";

const schema = z.object({
  pid: z.int().positive(),
  /** When that process began, in the words of the system; see `processStart`. */
  process_start: z.string().optional(),
  /** Known only to the daemon and to who may read this file. */
  nonce: z.string().min(32),
  /** Where the REST API is reached. */
  url: z.url({ protocol: /^http$/ }),
  port: z.int().min(1).max(65_535),
  version: z.string(),
  /** Milliseconds since 1970. */
  started_at: z.int().nonnegative(),
  /** Present once it takes no more calls. */
  stopping: z.literal(true).optional(),
});

/** What a running daemon says about itself in `daemon.json`. */
export type DaemonRecord = Readonly<z.infer<typeof schema>>;

/** What the file says; undefined when there is none, or none that a daemon has written. */
export function readDaemonRecord(file: string): DaemonRecord | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

export function writeDaemonRecord(file: string, record: DaemonRecord): void {
  replacePrivateFile(file, `${JSON.stringify(record, undefined, 2)}\n`);
}

export function removeDaemonRecord(file: string): void {
  rmSync(file, { force: true });
}
