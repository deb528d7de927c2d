import { describe, expect, test } from "vitest";
import type { NewEpisode } from "../memory/episodes.ts";
import { FluxError, FluxTypeError } from "../model/errors.ts";
import type { MemoryEvent } from "./memory-event.ts";
import { rememberRun } from "./remember-run.ts";

const episode = { input: "Where do I live?", output: "In Porto." };
const busy = new FluxError("busy", "busy", { retryable: true });

/** A memory whose attempts end as given, the last one again and again. */
function memoryOf(...ends: (Error | "stored" | "never")[]) {
  const given: NewEpisode[] = [];
  const remember = (one: NewEpisode): Promise<string> => {
    given.push(one);
    const end = ends[Math.min(given.length, ends.length) - 1];
    if (end === "never") return new Promise(() => undefined);
    return end === "stored" ? Promise.resolve(one.id ?? "") : Promise.reject(end);
  };
  const events: MemoryEvent[] = [];
  return { memory: { remember }, given, events, onEvent: (event: MemoryEvent) => void events.push(event) };
}

describe("rememberRun", () => {
  test("stores a run at once", async () => {
    const { memory, given, events, onEvent } = memoryOf("stored");
    const { settled, ...outcome } = await rememberRun(memory, { ...episode, id: "ep_1" }, { onEvent });
    expect(outcome).toEqual({ episodeId: "ep_1", status: "stored" });
    expect(await settled).toEqual(outcome);
    expect(given).toEqual([{ ...episode, id: "ep_1", occurredAt: expect.any(Number) }]);
    expect(events).toEqual([{ type: "memory_write", episodeId: "ep_1", status: "stored", attempt: 1 }]);
  });

  test("a failure is no exception: it is tried again in the background, under the same id and time", async () => {
    const { memory, given, events, onEvent } = memoryOf(busy, new Error("socket with secret"), "stored");
    const outcome = await rememberRun(memory, episode, { onEvent, retryDelay: 1 });
    expect(outcome).toMatchObject({ status: "retrying", cause: { code: "busy", retryable: true } });
    expect(await outcome.settled).toEqual({ episodeId: outcome.episodeId, status: "stored" });
    expect(given).toHaveLength(3);
    expect(new Set(given.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(events.map((event) => event.type === "memory_write" && [event.status, event.attempt])).toEqual([
      ["retrying", 1],
      ["retrying", 2],
      ["stored", 3],
    ]);
    expect(JSON.stringify(events)).not.toContain("secret");
  });

  test("every attempt has what was given, whatever the caller does to it meanwhile", async () => {
    const { memory, given } = memoryOf(busy, "stored");
    const own = { ...episode, metadata: { turn: 1 }, transcript: [{ role: "tool", content: "5" } as const] };
    const { settled } = await rememberRun(memory, own, { retryDelay: 1 });
    own.metadata.turn = 2;
    own.transcript.pop();
    await settled;
    expect(given.at(-1)).toMatchObject({ metadata: { turn: 1 }, transcript: [{ content: "5" }] });
  });

  test("gives up after so many attempts, and says so", async () => {
    const { memory, given, events, onEvent } = memoryOf(busy);
    const { settled } = await rememberRun(memory, episode, { onEvent, retryDelay: 1, retries: 2 });
    expect(await settled).toMatchObject({ status: "failed", cause: { code: "busy" } });
    expect(given).toHaveLength(3);
    expect(events.at(-1)).toMatchObject({ status: "failed", attempt: 3 });
  });

  test.each([
    ["which stays", new FluxError("too_large", "too large")],
    ["of the episode's form", new FluxTypeError("invalid_argument", "output must be a string")],
    ["of the program", new TypeError("x is not a function")],
  ])("an error %s is not tried again", async (_what, error) => {
    const { memory, given } = memoryOf(error);
    const { status, settled } = await rememberRun(memory, episode, { retryDelay: 1 });
    expect(status).toBe("failed");
    expect(await settled).toMatchObject({ status: "failed", cause: { code: expect.any(String) } });
    expect(given).toHaveLength(1);
  });

  test("a memory that never answers takes as long as it may", async () => {
    const { memory } = memoryOf("never", "stored");
    const { status, cause, settled } = await rememberRun(memory, episode, { timeout: 5, retryDelay: 1 });
    expect([status, cause?.code]).toEqual(["retrying", "timeout"]);
    expect(await settled).toMatchObject({ status: "stored" });
  });

  test("an aborted signal ends what goes on in the background", async () => {
    const stop = new AbortController();
    const { memory, given, events, onEvent } = memoryOf(busy);
    const options = { onEvent, retryDelay: 600_000, signal: stop.signal };
    const { settled } = await rememberRun(memory, episode, options);
    stop.abort();
    expect(await settled).toMatchObject({ status: "failed", cause: { code: "busy" } });
    expect(given).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ status: "failed", attempt: 1 });
  });

  test("no episode and no listener can lose the answer; wrong options are the program's mistake", async () => {
    const refused = memoryOf(new FluxTypeError("invalid_argument", "An item must be an object"));
    for (const wrong of [undefined, null, 5, "text"])
      expect(await rememberRun(refused.memory, wrong as never)).toMatchObject({ status: "failed" });
    const { memory } = memoryOf("stored");
    const onEvent = (): never => {
      throw new Error("listener");
    };
    expect(await rememberRun(memory, episode, { onEvent })).toMatchObject({ status: "stored" });
    for (const options of [
      { retries: -1 },
      { timeout: 0 },
      { onEvent: 5 },
      { retry: 5 },
      { signal: {} },
      null,
    ])
      await expect(rememberRun(memory, episode, options as never)).rejects.toMatchObject({
        code: "invalid_argument",
      });
    await expect(rememberRun({} as never, episode)).rejects.toMatchObject({ code: "invalid_argument" });
  });
});
