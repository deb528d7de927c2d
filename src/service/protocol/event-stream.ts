/** One event of a server-sent event stream, https://html.spec.whatwg.org/multipage/server-sent-events.html. */
export interface ServerSentEvent {
  /** Default "message". */
  readonly event: string;
  readonly data: string;
  /** `id` of the last event that had one. */
  readonly lastEventId: string;
}

/** Reads events from the lines of a stream. Comments, which keep the connection alive, are left out. */
export async function* readEvents(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<ServerSentEvent> {
  let event = "";
  let data: string[] = [];
  let lastEventId = "";
  for await (const line of lines) {
    if (line === "") {
      // An event without data is none; one that the stream ends in is incomplete.
      if (data.length > 0) yield { event: event || "message", data: data.join("\n"), lastEventId };
      event = "";
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event = value;
    else if (field === "data") data.push(value);
    else if (field === "id" && !value.includes("\0")) lastEventId = value;
  }
}
