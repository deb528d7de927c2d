import { createHash, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import * as z from "zod";
import { FluxError } from "../../model/errors.ts";
import { type Connection, guard } from "../http/guard.ts";
import { problemResponse } from "../http/problem.ts";
import type { DaemonRecord } from "./daemon-record.ts";

const identitySchema = z.object({ identity: z.string() });

/** Derived from the nonce: shows that whoever answers knows it, and does not give it away. */
function identityOf(nonce: string): string {
  return createHash("sha256").update(`flux-memory daemon ${nonce}`).digest("hex");
}

/**
 * Routes under /daemon by which other processes of the same user find out whether this is the daemon that they mean, and end it.
 * Whoever ends it must know the nonce, which only the owner of the instance's folder can read.
 */
export function controlRoutes({
  nonce,
  stop,
}: {
  readonly nonce: string;
  readonly stop: () => void;
}): Hono<Connection> {
  const identity = identityOf(nonce);
  return new Hono<Connection>()
    .use(guard)
    .get("/daemon", (context) => context.json({ identity, pid: process.pid }))
    .post("/daemon/stop", (context) => {
      if (!sameText(context.req.header("Authorization") ?? "", `Bearer ${nonce}`))
        throw new FluxError("unauthorized", "Only the owner of the instance may end its daemon");
      stop();
      // A connection that is kept for later calls would keep the server from closing.
      return context.json({ stopping: true }, 202, { connection: "close" });
    })
    .notFound(() => problemResponse(new FluxError("not_found", "There is nothing at this path")))
    .onError(problemResponse);
}

function sameText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Whether what answers at the address of the record is the daemon that wrote it. */
export async function answers({ url, nonce }: DaemonRecord, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(new URL("/daemon", url), { signal, redirect: "error" });
    return identitySchema.parse(await response.json()).identity === identityOf(nonce);
  } catch {
    return false;
  }
}

/** Asks a daemon that is known to be the right one to end. Returns whether it will. */
export async function askToStop({ url, nonce }: DaemonRecord, signal: AbortSignal): Promise<boolean> {
  const headers = { Authorization: `Bearer ${nonce}` };
  try {
    const target = new URL("/daemon/stop", url);
    return (await fetch(target, { method: "POST", headers, signal, redirect: "error" })).status === 202;
  } catch {
    return false;
  }
}
