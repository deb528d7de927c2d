import { hash, randomBytes } from "node:crypto";
import type Database from "better-sqlite3";
import type { Message } from "../../src/index.ts";
import { sqliteSizes } from "../sqlite-sizes.ts";
import {
  type BenchStore,
  type CombinedReads,
  type Content,
  counterAgent,
  counterScope,
  type Size,
} from "../store.ts";
import { decodeMessage } from "./raw-message.ts";
import { openRawSqlite, prepareRawSqlite } from "./raw-sqlite-statements.ts";

/** What it does, in one line for the report. */
export const rawSqlite =
  "better-sqlite3 by hand: WAL, synchronous=FULL, up to 256 calls a commit with a savepoint each: " +
  "receipt with salted fingerprint, row with its indexes, change row; the head once a commit; reads check the version";

const groupSize = 256;

interface RawSqliteOptions {
  readonly timeout?: number;
  readonly remove?: () => Promise<void>;
}

interface Head {
  readonly id: number;
  readonly salt: string;
  seq: number;
  recordedAt: number;
  records: number;
  bytes: number;
}

interface Call {
  readonly user: string;
  readonly operation: string;
  readonly payload: string;
  readonly inserted: number;
}

interface Member {
  run(): void;
  resolve(): void;
  reject(error: unknown): void;
}

type Values = readonly unknown[];

export class RawSqlite implements BenchStore {
  readonly #db: Database.Database;
  readonly #path: string;
  readonly #statements;
  readonly #members: Member[] = [];
  #scheduled = false;
  #heads = new Map<string, Head>();

  readonly #remove: () => Promise<void>;

  /**
   * @param timeout milliseconds for which the driver itself waits for another process's lock, as is its default
   * @param remove removes what closing leaves
   */
  constructor(path: string, { timeout = 5000, remove = async () => {} }: RawSqliteOptions = {}) {
    this.#path = path;
    this.#remove = remove;
    this.#db = openRawSqlite(path, timeout);
    this.#statements = prepareRawSqlite(this.#db);
  }

  async append(user: string, operation: string, messages: readonly Message[]): Promise<readonly string[]> {
    const payload = JSON.stringify(messages);
    const ids = messages.map((_message, i) => `${operation}-${i}`);
    await this.#commit({ user, operation, payload, inserted: ids.length }, (head, now) => {
      for (const [i, message] of messages.entries()) {
        const id = ids[i] ?? "";
        const { sessionId, agentId = "", role, content, saidAt } = message;
        const { name, toolCalls, toolCallId, metadata, expiresAt } = message;
        const bytes =
          32 + id.length + sessionId.length + agentId.length + role.length + Buffer.byteLength(content);
        head.seq += 1;
        head.records += 1;
        head.bytes += bytes;
        this.#statements.insertMessage.run(
          head.id,
          id,
          head.seq,
          head.seq,
          now,
          bytes,
          sessionId,
          agentId,
          role,
          content,
          name ?? null,
          toolCalls === undefined ? null : JSON.stringify(toolCalls),
          toolCallId ?? null,
          saidAt,
          metadata === undefined ? null : JSON.stringify(metadata),
          expiresAt ?? null,
        );
        this.#statements.insertChange.run(head.id, head.seq, "message", id, "insert", now);
      }
    });
    return ids;
  }

  addCounter(user: string, operation: string, key: string): Promise<unknown> {
    return this.#commit({ user, operation, payload: `add ${key}`, inserted: 1 }, (head, now) => {
      const id = `${operation}-0`;
      const bytes = 33 + id.length + counterAgent.length + counterScope.length + key.length;
      head.seq += 1;
      head.records += 1;
      head.bytes += bytes;
      const { insertValue, insertChange } = this.#statements;
      insertValue.run(head.id, id, head.seq, head.seq, now, bytes, counterAgent, counterScope, key, "0");
      insertChange.run(head.id, head.seq, "value", id, "insert", now);
    });
  }

  increment(user: string, operation: string, key: string): Promise<unknown> {
    return this.#commit({ user, operation, payload: `increment ${key}`, inserted: 0 }, (head, now) => {
      const { findValue, updateValue, insertChange } = this.#statements;
      const [id, before] = findValue.get(head.id, counterAgent, counterScope, key) as [string, string];
      const after = JSON.stringify(JSON.parse(before) + 1);
      head.seq += 1;
      head.bytes += after.length - before.length;
      updateValue.run(after, after.length - before.length, head.seq, head.id, id);
      insertChange.run(head.id, head.seq, "value", id, "update", now);
    });
  }

  #commit(call: Call, write: (head: Head, now: number) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#members.push({ run: () => this.#once(call, write), resolve, reject });
      this.#schedule();
    });
  }

  /** The turn of the event loop in between lets everyone who is ready join the group. */
  #schedule(): void {
    if (this.#scheduled || this.#members.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#commitGroup();
      this.#schedule();
    });
  }

  #commitGroup(): void {
    const group = this.#members.splice(0, groupSize);
    const settle: (() => void)[] = [];
    const { begin, version, savepoint, release, rollbackTo, updateHead, commit } = this.#statements;
    try {
      begin.run();
      if ((version.get() as [number])[0] > 1) throw new Error("outdated");
      this.#heads = new Map();
      for (const { run, resolve, reject } of group) {
        savepoint.run();
        try {
          run();
          settle.push(resolve);
        } catch (error) {
          rollbackTo.run();
          settle.push(() => reject(error));
        }
        release.run();
      }
      for (const { id, seq, recordedAt, records, bytes } of this.#heads.values())
        updateHead.run(seq, recordedAt, records, bytes, id);
      commit.run();
      for (const step of settle) step();
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec("rollback");
      for (const { reject } of group) reject(error);
    }
  }

  /** Runs one call inside the commit, unless its operation is done already. */
  #once({ user, operation, payload, inserted }: Call, write: (head: Head, now: number) => void): void {
    const head = { ...this.#head(user) };
    const now = Math.max(Date.now(), head.recordedAt);
    const fingerprint = hash("sha256", head.salt + payload, "buffer").subarray(0, 16);
    const { findReceipt, insertReceipt } = this.#statements;
    const receipt = findReceipt.get(head.id, operation) as [Buffer] | undefined;
    if (receipt !== undefined) {
      if (!receipt[0].equals(fingerprint)) throw new Error("Another payload under the same operation id");
      return;
    }
    head.recordedAt = now;
    write(head, now);
    insertReceipt.run(head.id, operation, fingerprint, head.seq, now, inserted);
    this.#heads.set(user, head);
  }

  /** The partition's head: read once a group, and written at its end. */
  #head(user: string): Head {
    const known = this.#heads.get(user);
    if (known !== undefined) return known;
    const { findHead, insertHead } = this.#statements;
    const row = findHead.get(user) as [number, string, number, number, number, number] | undefined;
    if (row !== undefined) {
      const [id, salt, seq, recordedAt, records, bytes] = row;
      return { id, salt, seq, recordedAt, records, bytes };
    }
    const salt = randomBytes(16).toString("hex");
    const id = Number(insertHead.run(user, salt).lastInsertRowid);
    return { id, salt, seq: 0, recordedAt: 0, records: 0, bytes: 0 };
  }

  async counter(user: string, key: string): Promise<number | undefined> {
    const { readValue } = this.#statements;
    const row = readValue.get(user, counterAgent, counterScope, key) as [string] | undefined;
    return row === undefined ? undefined : Number(JSON.parse(row[0]));
  }

  async message(user: string, id: string): Promise<Content | undefined> {
    const row = this.#statements.readMessage.get(user, Date.now(), id) as Values | undefined;
    return row === undefined ? undefined : decodeMessage(row);
  }

  async page(user: string, session: string, limit: number): Promise<readonly Content[]> {
    const rows = this.#statements.readSession.all(user, Date.now(), session, limit) as Values[];
    return rows.map(decodeMessage);
  }

  async combined(user: string, { id, session, agent, key }: CombinedReads): Promise<number> {
    const { beginRead, readHead, readMessage, readSession, readAgent, readTime, readValue, commit } =
      this.#statements;
    const now = Date.now();
    beginRead.run();
    try {
      const single = [
        readHead.get(user),
        readMessage.get(user, now, id),
        readValue.get(user, counterAgent, counterScope, key),
      ];
      const pages = [
        readSession.all(user, now, session, 20),
        readAgent.all(user, now, agent, 20),
        readTime.all(user, now, 10),
      ] as Values[][];
      const decoded = pages.map((rows) => rows.map(decodeMessage));
      return decoded.reduce(
        (sum, page) => sum + page.length,
        single.filter((row) => row !== undefined).length,
      );
    } finally {
      commit.run();
    }
  }

  async sizes(): Promise<readonly Size[]> {
    return sqliteSizes(this.#path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#db.close();
    await this.#remove();
  }
}
