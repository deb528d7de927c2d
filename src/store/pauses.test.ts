import { expect, it, onTestFinished, vi } from "vitest";
import { pausesOf, turn } from "./pauses.ts";

/** A clock that stands still until it is moved on. */
function clock(): { now: number } {
  const time = { now: 0 };
  const spy = vi.spyOn(performance, "now").mockImplementation(() => time.now);
  onTestFinished(() => spy.mockRestore());
  return time;
}

it("lets others have their turn once a turn has become long, and not before", async () => {
  const time = clock();
  const done: string[] = [];
  const other = turn().then(() => done.push("other"));
  const pause = pausesOf();
  time.now = 4;
  await pause();
  done.push("short");
  time.now = 5;
  await pause();
  done.push("long");
  await other;
  expect(done).toEqual(["short", "other", "long"]);
});

it("ends with the signal's reason where it was aborted meanwhile", async () => {
  const time = clock();
  const abort = new AbortController();
  const pause = pausesOf(abort.signal);
  time.now = 5;
  const paused = pause();
  abort.abort(new Error("enough"));
  await expect(paused).rejects.toThrow("enough");
});
