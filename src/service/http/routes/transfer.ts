import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import * as z from "zod";
import type { ExportLine } from "../../../flux/export-line.ts";
import { toWire } from "../../protocol/translate.ts";
import { answers, streams } from "../../wire/answers.ts";
import { readParameters, writeParameters } from "../../wire/parameters.ts";
import { importLines } from "../body.ts";
import { type AppEnv, memoryOf, type Shared, streamSignal } from "../request.ts";
import { operationOf } from "../scope.ts";

export function addTransferRoutes(app: OpenAPIHono<AppEnv>, shared: Shared): void {
  app.openapi(exportRoute, async (c) => {
    c.header("content-type", "application/x-ndjson");
    c.header("transfer-encoding", "chunked");
    c.header("content-disposition", 'attachment; filename="memory.ndjson"');
    const signal = streamSignal(c);
    const lines = memoryOf(shared, c).export({ signal })[Symbol.asyncIterator]();
    if (c.req.method === "HEAD") return c.body(null, 200);
    // What cannot begin is told as an error, not as an export that ends early.
    const first = await lines.next();
    const broken = (error: unknown, controller: ReadableStreamDefaultController): void => {
      if (!signal.aborted) shared.onError(error);
      // So that the client can tell. Of the error it hears nothing, which may say anything.
      const { outgoing } = c.env ?? {};
      if (outgoing === undefined) controller.error(new Error("The export ended early"));
      else outgoing.destroy();
    };
    return c.body(exported(first, lines, broken), 200);
  });
  app.openapi(importRoute, async (c) => {
    const options = { operation: operationOf(c), signal: streamSignal(c) };
    const report = await memoryOf(shared, c).import(importLines(c, shared.bodyTimeout), options);
    return c.json(toWire(report), 200);
  });
}

/** UTF-16 units that are sent at once. */
const chunkLength = 65_536;

function exported(
  first: IteratorResult<ExportLine>,
  lines: AsyncIterator<ExportLine>,
  broken: (error: unknown, controller: ReadableStreamDefaultController) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: IteratorResult<ExportLine> | undefined = first;
  return new ReadableStream({
    async pull(controller) {
      let chunk = "";
      try {
        while (chunk.length < chunkLength) {
          const { done, value } = next ?? (await lines.next());
          next = undefined;
          if (done) {
            if (chunk !== "") controller.enqueue(encoder.encode(chunk));
            controller.close();
            return;
          }
          chunk += `${JSON.stringify(value)}\n`;
        }
        controller.enqueue(encoder.encode(chunk));
      } catch (error) {
        broken(error, controller);
      }
    },
    async cancel() {
      await lines.return?.();
    },
  });
}

const lines = z.string().meta({ description: "Lines of JSON, see docs/rest.md." });

const exportRoute = createRoute({
  method: "get",
  path: "/export",
  operationId: "export",
  tags: ["Transfer"],
  summary: "Everything that is stored, as lines of JSON",
  description:
    "With all that was derived, the oldest first; the format of `flux export`. A connection that breaks before its end means that the export is not complete.",
  parameters: readParameters,
  responses: streams("application/x-ndjson", lines, "The lines."),
});

const importRoute = createRoute({
  method: "post",
  path: "/import",
  operationId: "import",
  tags: ["Transfer"],
  summary: "Store what was exported",
  description:
    "As it was, under the same ids, with all that was derived. Stored batch by batch as it arrives: after an error, do the same import again, which stores nothing twice.",
  parameters: writeParameters,
  request: { body: { required: true, content: { "application/x-ndjson": { schema: lines } } } },
  responses: answers(
    z
      .object({
        stored: z.number(),
        mentioned: z.number().meta({ description: "Those that were there already." }),
        expired: z.number().meta({ description: "Those that have expired since they were exported." }),
        conflicts: z.number().meta({
          description:
            "Those that were left out because something else is there in their place, or what they rest on is not.",
        }),
        part: z
          .object({
            begun: z.number().optional(),
            renamed: z.array(z.object({ name: z.string(), id: z.string() })).optional(),
          })
          .optional()
          .meta({
            description:
              "Where the header has a `part`, `{}` in the first of an import in several calls: what that of the next one is.",
          }),
      })
      .meta({ id: "Imported" }),
    "What was stored.",
  ),
});
