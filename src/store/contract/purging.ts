import { insert } from "../batch.ts";
import type { Append } from "../commit.ts";
import type { Purge } from "../erasures.ts";
import type { Ledger } from "../ledger.ts";
import type { Kind } from "../schema.ts";
import { left } from "./erasing.ts";
import { alice } from "./expectations.ts";
import { ManualClock } from "./manual-clock.ts";
import { conduit, fact, grain, message, named, note } from "./samples.ts";
import type { Setup } from "./suite.ts";

/** How long the purges of `purgeOf` can be undone. */
export const hour = 3_600_000;

/** What the cases about purges use: a ledger, and the clock by which its purges end. */
export interface Timed {
  readonly ledger: Ledger;
  readonly clock: ManualClock;
}

export async function timed(open: Setup["open"]): Promise<Timed> {
  const clock = new ManualClock();
  return { ledger: await open({ clock }), clock };
}

/** A message with a grain, a summary of it, and a fact from it; and a note beside them. */
export function records() {
  return [
    named("m", message("I moved to Porto.")),
    insert("grain", grain("message", "m"), { id: "g" }),
    named("n", note("beside")),
    insert("grain", grain("text", "n"), { id: "h" }),
    named("s", note("summary"), ["message", "m"]),
    named("f", fact("Porto"), ["message", "m"]),
    insert("conduit", conduit("g", "h"), { id: "c" }),
  ];
}

/** What can be seen of `records`: all, and while the message is hidden. */
export const whole = "fact f, grain g, grain h, message m, text n, text s";
export const rest = "grain h, text n";

/** A new ledger that holds what is given, by default `records`. */
export async function stored(
  open: Setup["open"],
  given: Omit<Append, "operation"> = { records: records() },
): Promise<Timed> {
  const opened = await timed(open);
  await opened.ledger.append(alice, { operation: "o", ...given });
  return opened;
}

export function purgeOf(
  { ledger, clock }: Timed,
  operation: string,
  ...refs: readonly (readonly [Kind, string])[]
): Promise<Purge> {
  const until = clock.now() + hour;
  return ledger.purge(alice, { operation, refs: refs.map(([kind, id]) => ({ kind, id })), until });
}

/** Which records can be seen, but for conduits, feedback and traces. */
export async function seen(ledger: Ledger): Promise<string> {
  return (await left(ledger)).filter((name) => !/^(conduit|feedback|trace) /.test(name)).join(", ");
}
