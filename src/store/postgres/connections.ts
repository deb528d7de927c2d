import { FluxError } from "../../model/errors.ts";
import { DatabaseFailure } from "./failure.ts";
import {
  closingClient,
  loadPg,
  type PgClient,
  type PgConfig,
  type PgModule,
  type PgPool,
  type PooledPgClient,
} from "./pg.ts";
import { unlessAborted } from "./retry.ts";
import { Session, StatementNames } from "./session.ts";
import { Slots } from "./slots.ts";

export interface ConnectionOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Milliseconds. */
  readonly statementTimeout: number;
  /** Milliseconds that the way to a connection may take. */
  readonly connectTimeout: number;
}

/** How long an unused connection is kept, in milliseconds. */
const idleTimeout = 60_000;

/** How much longer than the server's own time-out we wait for an answer. */
const grace = 5_000;

/** How long the request to cancel a statement may take. */
const cancelTimeout = 5_000;

/** How long the server may take to say goodbye. */
const endTimeout = 1_000;

/**
 * What every connection is set to. Each statement here is made for an index, and planned once, often while the tables are
 * still empty: so no plan may be chosen because a table is small, or only seems to be.
 */
const settings = {
  search_path: "",
  default_transaction_isolation: "read committed",
  // Shortest text that is read back as the same number.
  extra_float_digits: "1",
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_sort: "off",
  jit: "off",
  // Rows must come in the order of a loop.
  max_parallel_workers_per_gather: "0",
  // Of pgvector, if it is there. A search along its index looks at so many vectors at a time (of 50 neighbours, 200 find 99 %
  // and 100 find 90 %, among 20,000 vectors of 384 numbers), and goes on until it has found enough in the partition.
  "hnsw.iterative_scan": "relaxed_order",
  "hnsw.ef_search": "200",
  "hnsw.max_scan_tuples": "10000",
} as const;

/** The connections of one driver to its server. */
export class Connections {
  readonly #client: PgModule["Client"];
  readonly #config: PgConfig;
  readonly #options: ConnectionOptions;
  readonly #pool: PgPool;
  readonly #slots: Slots;
  readonly #names = new StatementNames();
  readonly #backends = new WeakMap<PgClient, string>();
  readonly #running = new Set<Promise<unknown>>();

  /** @throws FluxError `missing_package` or `invalid_url` */
  static async load(options: ConnectionOptions): Promise<Connections> {
    return new Connections(await loadPg(), options);
  }

  private constructor(pg: PgModule, options: ConnectionOptions) {
    this.#client = closingClient(pg);
    this.#options = options;
    this.#config = {
      connectionString: options.url,
      connectionTimeoutMillis: options.connectTimeout,
      keepAlive: true,
      fallback_application_name: "flux-memory",
      pipeline: true,
      types: { getTypeParser: () => (value) => value },
    };
    try {
      new this.#client(this.#config);
    } catch (cause) {
      throw new FluxError("invalid_url", "The PostgreSQL URL, or a file that it names, cannot be read", {
        hint: "Write postgres://user:password@host:port/database, with special characters percent-encoded.",
        cause,
      });
    }
    this.#slots = new Slots(options.poolSize);
    this.#pool = new pg.Pool({
      ...this.#config,
      max: options.poolSize,
      idleTimeoutMillis: idleTimeout,
      Client: this.#client,
      onConnect: (client) => this.#setUp(client),
    });
    // A connection that breaks while nobody uses it is replaced by the next use.
    this.#pool.on("error", () => undefined);
  }

  async #setUp(client: PgClient): Promise<void> {
    // One that breaks in use fails the statement under way, which says all there is to say.
    client.on("error", () => undefined);
    const { statementTimeout } = this.#options;
    const all = Object.entries({
      ...settings,
      statement_timeout: String(statementTimeout),
      // A process that was stopped in the middle of a transaction must not hold its partition for ever.
      idle_in_transaction_session_timeout: String(statementTimeout),
    });
    const calls = all.map((_setting, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, false)`);
    const timeout = setTimeout(() => client.connection.stream.destroy(), this.#options.connectTimeout);
    try {
      const { rows } = await client.query({
        text: `select pg_backend_pid(), ${calls.join(", ")}`,
        values: all.flat(),
        rowMode: "array",
      });
      this.#backends.set(client, rows[0]?.[0] ?? "");
    } finally {
      clearTimeout(timeout);
    }
  }

  /**
   * Lets the work have a connection. When the signal is aborted, rejects at once with its reason and has the server cancel
   * what is under way.
   *
   * @throws DatabaseFailure
   */
  async use<T>(work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#slots.take(signal);
    const running = this.#use(work, signal).finally(() => this.#slots.give());
    this.background(running);
    return unlessAborted(running, signal);
  }

  async #use<T>(work: (session: Session) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const client = await this.#take();
    const session = new Session(client, this.#names, this.#options.statementTimeout + grace);
    let cancelled: Promise<void> | undefined;
    const cancel = (): void => {
      // The connection goes as well, since the request could otherwise hit the next work's statement.
      cancelled = this.#cancel(this.#backends.get(client)).finally(() => session.destroy());
    };
    try {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", cancel, { once: true });
      return await work(session);
    } finally {
      signal?.removeEventListener("abort", cancel);
      await cancelled;
      session.release();
    }
  }

  async #take(): Promise<PooledPgClient> {
    try {
      return await this.#pool.connect();
    } catch (cause) {
      throw new DatabaseFailure(cause);
    }
  }

  /** On a connection of its own, since those of the pool may all be waiting. */
  async #cancel(backend: string | undefined): Promise<void> {
    const ask = async (): Promise<void> => {
      const client = await this.connect();
      const text = "select pg_cancel_backend($1)";
      await client.query({ text, values: [backend], rowMode: "array" }).finally(() => this.end(client));
    };
    await unlessAborted(ask(), AbortSignal.timeout(cancelTimeout)).catch(() => undefined);
  }

  /**
   * A connection outside of the pool, for the caller to end.
   *
   * @throws DatabaseFailure
   */
  async connect(): Promise<PgClient> {
    const client = new this.#client(this.#config);
    client.on("error", () => undefined);
    try {
      await client.connect();
      return client;
    } catch (cause) {
      throw new DatabaseFailure(cause);
    }
  }

  /** Ends a connection of `connect`, also when the server does not answer. */
  async end(client: PgClient): Promise<void> {
    await unlessAborted(client.end(), AbortSignal.timeout(endTimeout)).catch(() => undefined);
    client.connection.stream.destroy();
  }

  /** Lets `close` wait for something that nobody else waits for. */
  background(work: Promise<unknown>): void {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.#running.add(settled);
    settled.finally(() => this.#running.delete(settled));
  }

  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    await this.#pool.end();
  }
}
