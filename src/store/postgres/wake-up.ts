import { base32, digest } from "../../model/hash.ts";
import type { Connections } from "./connections.ts";
import type { PgClient } from "./pg.ts";
import { sleep } from "./retry.ts";
import type { Session } from "./session.ts";

/** How long a wait lasts at most, in milliseconds, while notifications come, and while they do not. */
const longestWait = { listening: 5_000, deaf: 500 } as const;

/** How long a wait lasts at most while changes are there that cannot be read yet. */
const shortestWait = 25;

/** Least milliseconds between two notifications of a process. */
const interval = 50;

/** How long a reader of the feed waits for a notification that is under way; it takes less than a millisecond. */
const longestTelling = 500;

/** How long to wait before listening is tried again. */
const reconnectPause = 1_000;

/**
 * Tells waiting followers that something was committed: those of this process directly, those of others by NOTIFY. Both are
 * hints only, so every wait also ends by itself.
 *
 * A notification is a transaction of its own, at most one each 50 ms, and does not wait for the disk: PostgreSQL lets one
 * transaction with notifications commit at a time, and so would let one of our commits at a time wait for the disk. See
 * docs/decisions/0010.
 */
export class WakeUp {
  readonly #connections: Connections;
  readonly #channel: string;
  readonly #waiting = new Set<() => void>();
  readonly #stop = new AbortController();
  #listening = false;
  #loop: Promise<void> | undefined;
  #notifying: Promise<void> | undefined;
  /** The notification that PostgreSQL is carrying out. */
  #telling: Promise<void> | undefined;
  #again = false;
  /** Whether there are changes that cannot be read yet, for the next wait to be short. */
  pending = false;

  constructor(connections: Connections, schema: string) {
    this.#connections = connections;
    this.#channel = `flux_${base32(digest(schema).subarray(0, 16))}`;
  }

  /** To be called after every commit. */
  committed(): void {
    this.#wake();
    this.#again = true;
    this.#notifying ??= this.#notify().finally(() => {
      this.#notifying = undefined;
    });
  }

  async #notify(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      const text = "select set_config('synchronous_commit', 'off', true), pg_notify($1, '')";
      // Whoever misses it looks by himself a little later.
      const tell = async (session: Session): Promise<void> => {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#telling = promise;
        await session.query(text, [this.#channel]).finally(() => {
          this.#telling = undefined;
          resolve();
        });
      };
      await this.#connections.use(tell).catch(() => undefined);
      await sleep(interval, this.#stop.signal).catch(() => undefined);
    }
  }

  /**
   * Resolves once no notification of this process is under way, or soon: as a transaction of its own, it keeps what was
   * committed after it began out of the feed.
   */
  async told(): Promise<void> {
    if (this.#telling === undefined) return;
    const enough = new AbortController();
    const late = sleep(longestTelling, enough.signal).catch(() => undefined);
    await Promise.race([this.#telling, late]);
    enough.abort();
  }

  /** Resolves at the next commit of anybody, after the time-out, when aborted, or before. */
  wait(timeout: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || this.#stop.signal.aborted) return Promise.resolve();
    this.#loop ??= this.#listen();
    const longest = this.pending ? shortestWait : longestWait[this.#listening ? "listening" : "deaf"];
    this.pending = false;
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(timeout, longest));
      this.#waiting.add(done);
      signal?.addEventListener("abort", done);
    });
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }

  /** Keeps a connection that listens, from the first wait until the end. */
  async #listen(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        const client = await this.#connections.connect();
        await this.#hear(client).finally(() => this.#connections.end(client));
      } catch {
        // Waits are short meanwhile.
      }
      await sleep(reconnectPause, signal).catch(() => undefined);
    }
  }

  async #hear(client: PgClient): Promise<void> {
    const ended = Promise.withResolvers<void>();
    client.on("end", () => ended.resolve());
    client.on("notification", () => this.#wake());
    const end = (): void => ended.resolve();
    this.#stop.signal.addEventListener("abort", end);
    try {
      await client.query({ text: `listen ${this.#channel}`, rowMode: "array" });
      this.#listening = true;
      // Something may have come before.
      this.#wake();
      if (!this.#stop.signal.aborted) await ended.promise;
    } finally {
      this.#listening = false;
      this.#stop.signal.removeEventListener("abort", end);
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#notifying;
    await this.#loop;
  }
}
