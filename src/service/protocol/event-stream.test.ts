import { expect, test } from "vitest";
import { readEvents, type ServerSentEvent } from "./event-stream.ts";

async function eventsOf(text: string): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(text.split("\n"))) events.push(event);
  return events;
}

test("events have a name, data and the id of the last one that had any", async () => {
  expect(await eventsOf("id: 1\nevent: change\ndata: a\ndata:b\n\ndata\n\n")).toEqual([
    { event: "change", data: "a\nb", lastEventId: "1" },
    { event: "message", data: "", lastEventId: "1" },
  ]);
});

test("comments, unknown fields, events without data and an incomplete one are left out", async () => {
  expect(await eventsOf(": hello\n\nevent: x\n\nretry: 5\nother: 1\ndata: a\n\ndata: cut")).toEqual([
    { event: "message", data: "a", lastEventId: "" },
  ]);
});

test("an id with NUL does not count", async () => {
  expect(await eventsOf("id: 1\ndata: a\n\nid: \0\ndata: b\n\n")).toMatchObject([
    { lastEventId: "1" },
    { lastEventId: "1" },
  ]);
});
