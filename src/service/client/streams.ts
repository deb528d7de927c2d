import type { ExportLine } from "../../flux/export-line.ts";
import type { FluxEvent } from "../../flux/flux-memory.ts";
import { FluxError } from "../../model/errors.ts";
import { readEvents } from "../protocol/event-stream.ts";
import { readBytes, readLines } from "../protocol/lines.ts";
import { fromWire, type Wire } from "../protocol/translate.ts";
import { type Call, isConnectionFailure, problemOf, type Transport } from "./transport.ts";

/** The lines of a stream, with what breaks it as an error of this package. */
async function* linesOf(transport: Transport, call: Call): AsyncGenerator<string> {
  const stream = await transport.retried(call.signal, () => transport.open(call));
  try {
    yield* readLines(readBytes(stream));
  } catch (error) {
    throw transport.failure(error, call.signal);
  }
}

/** An export. A connection that breaks is an error, never an export that ends early. */
export async function* exportLines(transport: Transport, call: Call): AsyncGenerator<ExportLine> {
  for await (const line of linesOf(transport, call)) yield JSON.parse(line) as ExportLine;
}

/** Follows events over connections that may break, each time from the last event on. */
export async function* followEvents(
  transport: Transport,
  call: Call,
  after: string | undefined,
): AsyncGenerator<FluxEvent> {
  let cursor = after;
  let failed = 0;
  for (;;) {
    try {
      const query = cursor === undefined ? {} : { after: cursor };
      const stream = await transport.open({ ...call, query });
      for await (const event of eventsOf(transport, call, stream)) {
        failed = 0;
        cursor = event.cursor;
        yield event;
      }
    } catch (error) {
      if (transport.closing.aborted || call.signal?.aborted) return;
      // Where nothing was heard yet, there is no place to go on from without leaving something out.
      if (!isConnectionFailure(error) || cursor === undefined || failed >= transport.retries) throw error;
    }
    if (transport.closing.aborted || call.signal?.aborted) return;
    // The service ends streams when it is restarted.
    if (cursor === undefined)
      throw new FluxError("unavailable", "The service ended the stream", { retryable: true });
    await transport.pause(failed, call.signal);
    failed += 1;
  }
}

async function* eventsOf(
  transport: Transport,
  call: Call,
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<FluxEvent> {
  const lines = readLines(readBytes(stream));
  try {
    for await (const { event, data, lastEventId } of readEvents(lines)) {
      if (event === "change")
        yield { ...fromWire(JSON.parse(data) as Wire<Omit<FluxEvent, "cursor">>), cursor: lastEventId };
      else if (event === "problem")
        throw problemOf(data) ?? new FluxError("unavailable", "The service ended the stream");
    }
  } catch (error) {
    throw transport.failure(error, call.signal);
  }
}
