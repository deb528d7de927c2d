import type { ExportLine, FluxEvent } from "../../flux/flux-memory.ts";
import { FluxError } from "../../model/errors.ts";
import { readEvents } from "../protocol/event-stream.ts";
import { readBytes, readLines } from "../protocol/lines.ts";
import { fromWire, type Wire } from "../protocol/translate.ts";
import { type Call, isConnectionFailure, problemOf, type Transport } from "./transport.ts";

/** The lines of a stream, with what breaks it as an error of this package. */
async function* linesOf(transport: Transport, call: Call): AsyncGenerator<string> {
  const stream = await transport.retried(call.signal, () => transport.open(call));
  try {
    yield* readLines(readBytes(stream), Infinity, () => new Error("Never: no line is too long"));
  } catch (error) {
    throw transport.failure(error, call.signal);
  }
}

/** An export. A connection that breaks is an error, never an export that ends early. */
export async function* exportLines(transport: Transport, call: Call): AsyncGenerator<ExportLine> {
  for await (const line of linesOf(transport, call)) yield JSON.parse(line) as ExportLine;
}

/** Records that are sent at once, and UTF-16 units at which fewer are. */
const batchSize = 500;
const batchLength = 4 * 2 ** 20;

/**
 * An import in parts, each with the header of the whole: not every `fetch` can send a stream. The same lines make the same parts, so
 * that an import done again finds what the first one stored.
 */
export async function* importBatches(
  lines: AsyncIterable<ExportLine> | Iterable<ExportLine>,
): AsyncGenerator<string> {
  let header = "";
  let batch = "";
  let count = 0;
  for await (const line of lines) {
    const text = `${JSON.stringify(line)}\n`;
    if (header === "") {
      header = text;
      continue;
    }
    if (count === batchSize || (count > 0 && batch.length + text.length > batchLength)) {
      yield header + batch;
      batch = "";
      count = 0;
    }
    batch += text;
    count += 1;
  }
  // An import of a header alone, or of nothing at all, is for the service to judge.
  yield header + batch;
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
  const lines = readLines(readBytes(stream), Infinity, () => new Error("Never: no line is too long"));
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
