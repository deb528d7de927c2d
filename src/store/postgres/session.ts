import { DatabaseFailure } from "./failure.ts";
import type { PgResult, PooledPgClient } from "./pg.ts";

/** Values of a row as PostgreSQL writes them. */
export type TextRow = readonly (string | null)[];

export interface Statement {
  readonly text: string;
  readonly values?: readonly (string | number | boolean | null)[];
}

/** How many statements a connection keeps prepared; each takes memory of the server. */
const maxPrepared = 128;

/** How many statements that came once are remembered, to prepare those that come again. */
const maxRemembered = 1024;

/** Longer statements are of a form that hardly comes again, and would fill the memory. */
const maxLength = 20_000;

/** Names for statements that come again, so that PostgreSQL parses and plans them once a connection. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #once = new Set<string>();

  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size >= maxPrepared || text.length > maxLength) return name;
    if (this.#once.delete(text)) {
      this.#names.set(text, `flux_${this.#names.size}`);
      return this.#names.get(text);
    }
    this.#once.add(text);
    if (this.#once.size > maxRemembered) this.#once.delete(this.#once.values().next().value as string);
    return undefined;
  }
}

/** A connection that one piece of work has to itself. Statements are sent at once, without waiting for earlier answers. */
export class Session {
  readonly #client: PooledPgClient;
  readonly #names: StatementNames;
  #patience: number | undefined;
  #watchdog: NodeJS.Timeout | undefined;
  #pending = 0;
  #usable = true;
  #reusable = true;

  /**
   * @param patience milliseconds without any answer after which the connection is given up; the server ends statements
   * sooner, unless it is gone
   */
  constructor(client: PooledPgClient, names: StatementNames, patience: number) {
    this.#client = client;
    this.#names = names;
    this.#patience = patience;
  }

  /** Whether the connection can be used for other work: alive, and in no transaction. */
  get #clean(): boolean {
    return this.#usable && this.#pending === 0 && this.#client.getTransactionStatus() === "I";
  }

  /** @throws DatabaseFailure */
  async query(text: string, values: Statement["values"] = []): Promise<readonly TextRow[]> {
    return (await this.#send({ text, values })).rows;
  }

  /**
   * Runs a command without parameters and results; its tag.
   *
   * @throws DatabaseFailure
   */
  async command(text: string): Promise<string> {
    return (await this.#send({ text })).command;
  }

  async #send({ text, values }: Statement): Promise<PgResult> {
    const name = values === undefined ? undefined : this.#names.nameOf(text);
    this.#pending += 1;
    // What is sent in one turn goes out as one piece.
    const { stream } = this.#client.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    if (this.#patience !== undefined) this.#watchdog ??= setTimeout(() => this.destroy(), this.#patience);
    try {
      return await this.#client.query({
        text,
        rowMode: "array",
        ...(values === undefined ? {} : { values: [...values] }),
        ...(name === undefined ? {} : { name }),
      });
    } catch (cause) {
      const failure = new DatabaseFailure(cause);
      if (failure.disconnected) this.#usable = false;
      throw failure;
    } finally {
      this.#pending -= 1;
      if (this.#pending > 0) this.#watchdog?.refresh();
      else {
        clearTimeout(this.#watchdog);
        this.#watchdog = undefined;
      }
    }
  }

  /** Lifts all time-outs, for work that takes as long as it takes. The connection is not used for anything else. */
  async unhurried(): Promise<void> {
    this.#patience = undefined;
    this.#reusable = false;
    await this.query("select set_config('statement_timeout', '0', false)");
  }

  /** Breaks the connection off. What is under way fails. */
  destroy(): void {
    this.#usable = false;
    this.#client.connection.stream.destroy();
  }

  /** Gives the connection back, to be used again if it can be. */
  release(): void {
    if (!this.#clean || !this.#reusable) this.destroy();
    this.#client.release(!this.#usable);
  }
}
