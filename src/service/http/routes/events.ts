import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import * as z from "zod";
import type { FluxEvent } from "../../../flux/flux-memory.ts";
import { FluxError } from "../../../model/errors.ts";
import { toWire } from "../../protocol/translate.ts";
import { streams } from "../../wire/answers.ts";
import { eventParameters } from "../../wire/parameters.ts";
import { problemResponse } from "../problem.ts";
import { type AppEnv, memoryOf, type Shared, streamSignal } from "../request.ts";

/** Each follows the store for as long as it is open. */
const maxStreams = 100;

export function addEventRoutes(app: OpenAPIHono<AppEnv>, shared: Shared): void {
  let open = 0;
  app.openapi(eventsRoute, async (c) => {
    c.header("content-type", "text/event-stream");
    c.header("transfer-encoding", "chunked");
    if (c.req.method === "HEAD") return c.body(null, 200);
    if (open >= maxStreams)
      throw new FluxError("overloaded", `At most ${maxStreams} event streams are open at once`, {
        retryable: true,
      });
    const after = c.req.header("last-event-id") ?? c.req.valid("query").after;
    const left = new AbortController();
    const signal = AbortSignal.any([streamSignal(c), left.signal]);
    const events = memoryOf(shared, c).events({ after, signal })[Symbol.asyncIterator]();
    open += 1;
    const stream = eventStream(events, signal, shared, () => {
      open -= 1;
      left.abort();
    });
    return c.body(stream, 200);
  });
}

/** Events as they happen, and a comment whenever nothing was said for a time: a connection that is dead shows by it. */
function eventStream(
  events: AsyncIterator<FluxEvent>,
  signal: AbortSignal,
  { keepAlive, onError }: Pick<Shared, "keepAlive" | "onError">,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  let isOpen = true;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(timer);
    ended();
  };
  // Asked for before the client hears of the stream, so that what it does from then on is in it.
  let next: Promise<IteratorResult<FluxEvent>> | undefined = events.next();
  // A rejection is dealt with when the stream is read.
  next.catch(() => undefined);
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const say = (text: string): void => controller.enqueue(encoder.encode(text));
      say(": hello\n\n");
      timer = setInterval(() => {
        // To a client that does not read, nothing more is said.
        if ((controller.desiredSize ?? 0) > 0) say(":\n\n");
      }, keepAlive);
    },
    async pull(controller) {
      try {
        const { done, value } = await (next ?? events.next());
        next = undefined;
        if (!done) return controller.enqueue(encoder.encode(rendered(value)));
      } catch (error) {
        if (!signal.aborted) {
          onError(error);
          controller.enqueue(encoder.encode(await problemEvent(error)));
        }
      }
      end();
      controller.close();
    },
    cancel: end,
  });
}

function rendered({ cursor, ...change }: FluxEvent): string {
  return `id: ${cursor}\nevent: change\ndata: ${JSON.stringify(toWire(change))}\n\n`;
}

/** The stream has begun, so that no status can tell any more. */
async function problemEvent(error: unknown): Promise<string> {
  return `event: problem\ndata: ${await problemResponse(error).text()}\n\n`;
}

const eventsRoute = createRoute({
  method: "get",
  path: "/events",
  operationId: "events",
  tags: ["Events"],
  summary: "What changes in the memory, as server-sent events",
  description:
    "Each `change` has a JSON object as its data: `seq`, `kind`, `id` and `operation` (`insert`, `update`, `delete` or `erase_all`); which record, never what it says. Its `id` is the cursor to go on from. A `problem` has a problem as its data, after which the stream ends.",
  parameters: eventParameters,
  request: {
    query: z.strictObject({
      after: z.string().optional().meta({
        description: "As `Last-Event-ID`, which wins. Default: only what happens from now on.",
      }),
    }),
  },
  responses: streams("text/event-stream", z.string(), "The stream, without end."),
});
