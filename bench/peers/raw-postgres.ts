import { hash, randomBytes } from "node:crypto";
import { Pool, type PoolClient } from "pg";
import type { Message } from "../../src/index.ts";
import { postgresSizes } from "../postgres-sizes.ts";
import {
  type BenchStore,
  type CombinedReads,
  type Content,
  counterAgent,
  counterScope,
  type Size,
} from "../store.ts";
import { decodeMessage } from "./raw-message.ts";
import { rawPostgresSchema } from "./raw-postgres-schema.ts";

/** What it does, in one line for the report. */
export const rawPostgres =
  "pg by hand, as many connections: each call is BEGIN, a lock on the partition's row, receipt with salted fingerprint, " +
  "row with its indexes, change row, head, COMMIT; prepared statements; several reads are one REPEATABLE READ transaction";

interface Head {
  readonly id: number;
  readonly salt: string;
  seq: number;
  readonly recordedAt: number;
  records: number;
  bytes: number;
}

interface Call {
  readonly user: string;
  readonly operation: string;
  readonly payload: string;
  readonly inserted: number;
}

type Values = readonly unknown[];

/** A call's own transaction: statements that the connection prepares once. */
type Run = (name: string, text: string, values: Values) => Promise<Values[]>;

export class RawPostgres implements BenchStore {
  readonly #pool: Pool;
  readonly #schema: string;

  private constructor(pool: Pool, schema: string) {
    this.#pool = pool;
    this.#schema = schema;
  }

  static async open(url: string, schema: string, poolSize: number): Promise<RawPostgres> {
    // New tables have no statistics yet that would tell the planner to use their indexes.
    const options = `-c search_path=${schema} -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off`;
    const pool = new Pool({ connectionString: url, max: poolSize, options });
    await pool.query(rawPostgresSchema(schema));
    return new RawPostgres(pool, schema);
  }

  async append(user: string, operation: string, messages: readonly Message[]): Promise<readonly string[]> {
    const payload = JSON.stringify(messages);
    const ids = messages.map((_message, i) => `${operation}-${i}`);
    await this.#commit({ user, operation, payload, inserted: ids.length }, async (run, head, now) => {
      for (const [i, message] of messages.entries()) {
        const id = ids[i] ?? "";
        const { sessionId, agentId = "", role, content, saidAt } = message;
        const { name, toolCalls, toolCallId, metadata, expiresAt } = message;
        const bytes =
          32 + id.length + sessionId.length + agentId.length + role.length + Buffer.byteLength(content);
        head.seq += 1;
        head.records += 1;
        head.bytes += bytes;
        await run("insert-message", insertMessage, [
          head.id,
          id,
          head.seq,
          now,
          bytes,
          sessionId,
          agentId,
          role,
          content,
          name,
          toolCalls === undefined ? undefined : JSON.stringify(toolCalls),
          toolCallId,
          saidAt,
          metadata === undefined ? undefined : JSON.stringify(metadata),
          expiresAt,
        ]);
        await run("insert-change", insertChange, [head.id, head.seq, "message", id, "insert", now]);
      }
    });
    return ids;
  }

  addCounter(user: string, operation: string, key: string): Promise<unknown> {
    const payload = `add ${key}`;
    return this.#commit({ user, operation, payload, inserted: 1 }, async (run, head, now) => {
      const id = `${operation}-0`;
      const bytes = 33 + id.length + counterAgent.length + counterScope.length + key.length;
      head.seq += 1;
      head.records += 1;
      head.bytes += bytes;
      const values = [head.id, id, head.seq, now, bytes, counterAgent, counterScope, key, "0"];
      await run("insert-value", insertValue, values);
      await run("insert-change", insertChange, [head.id, head.seq, "value", id, "insert", now]);
    });
  }

  increment(user: string, operation: string, key: string): Promise<unknown> {
    const payload = `increment ${key}`;
    return this.#commit({ user, operation, payload, inserted: 0 }, async (run, head, now) => {
      const [row] = await run("find-value", findValue, [head.id, counterAgent, counterScope, key]);
      const [id, before] = row as unknown as [string, string];
      const after = JSON.stringify(JSON.parse(before) + 1);
      head.seq += 1;
      head.bytes += after.length - before.length;
      await run("update-value", updateValue, [after, after.length - before.length, head.seq, head.id, id]);
      await run("insert-change", insertChange, [head.id, head.seq, "value", id, "update", now]);
    });
  }

  #commit(call: Call, write: (run: Run, head: Head, now: number) => Promise<void>): Promise<void> {
    return this.#transaction("begin", async (run) => {
      const head = await lock(run, call.user);
      const now = Math.max(Date.now(), head.recordedAt);
      const fingerprint = hash("sha256", head.salt + call.payload, "buffer").subarray(0, 16);
      const [receipt] = await run("find-receipt", findReceipt, [head.id, call.operation]);
      if (receipt !== undefined) {
        const same = (receipt[0] as Buffer).equals(fingerprint);
        if (!same) throw new Error("Another payload under the same operation id");
        return;
      }
      await write(run, head, now);
      const { id, seq, records, bytes } = head;
      await run("insert-receipt", insertReceipt, [id, call.operation, fingerprint, seq, now, call.inserted]);
      await run("update-head", updateHead, [seq, now, records, bytes, id]);
    });
  }

  async #transaction<T>(begin: string, work: (run: Run) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    try {
      await client.query(begin);
      const result = await work(runner(client));
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback");
      throw error;
    } finally {
      client.release();
    }
  }

  /** One statement is a snapshot of its own. */
  async #read(name: string, text: string, values: Values): Promise<Values[]> {
    const client = await this.#pool.connect();
    try {
      return await runner(client)(name, text, values);
    } finally {
      client.release();
    }
  }

  async counter(user: string, key: string): Promise<number | undefined> {
    const [row] = await this.#read("read-value", readValue, [user, counterAgent, counterScope, key]);
    return row === undefined ? undefined : Number(JSON.parse(row[0] as string));
  }

  async message(user: string, id: string): Promise<Content | undefined> {
    const [row] = await this.#read("read-message", readMessage, [user, Date.now(), id]);
    return row === undefined ? undefined : decodeMessage(row);
  }

  async page(user: string, session: string, limit: number): Promise<readonly Content[]> {
    const rows = await this.#read("read-session", readSession, [user, Date.now(), session, limit]);
    return rows.map(decodeMessage);
  }

  async combined(user: string, { id, session, agent, key }: CombinedReads): Promise<number> {
    const now = Date.now();
    return this.#transaction("begin isolation level repeatable read read only", async (run) => {
      const single = [
        await run("read-head", readHead, [user]),
        await run("read-message", readMessage, [user, now, id]),
        await run("read-value", readValue, [user, counterAgent, counterScope, key]),
      ];
      const pages = [
        await run("read-session", readSession, [user, now, session, 20]),
        await run("read-agent", readAgent, [user, now, agent, 20]),
        await run("read-time", readTime, [user, now, 10]),
      ];
      const decoded = pages.map((rows) => rows.map(decodeMessage));
      return [...single, ...decoded].reduce((sum, rows) => sum + rows.length, 0);
    });
  }

  sizes(): Promise<readonly Size[]> {
    return postgresSizes(this.#pool, this.#schema);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.query(`drop schema "${this.#schema}" cascade`);
    await this.#pool.end();
  }
}

function runner(client: PoolClient): Run {
  return async (name, text, values) => {
    const { rows } = await client.query<unknown[]>({ name, text, values: [...values], rowMode: "array" });
    return rows;
  };
}

/** Locks the partition's row, and makes one at first use. */
async function lock(run: Run, user: string): Promise<Head> {
  let [row] = await run("lock", lockHead, [user]);
  if (row === undefined) {
    await run("insert-head", insertHead, [user, randomBytes(16).toString("hex")]);
    [row] = await run("lock", lockHead, [user]);
  }
  const [id, salt, seq, recordedAt, records, bytes] = row as [number, string, string, string, string, string];
  return {
    id,
    salt,
    seq: Number(seq),
    recordedAt: Number(recordedAt),
    records: Number(records),
    bytes: Number(bytes),
  };
}

const lockHead = `select p.id, p.salt, p.seq, p.recorded_at, p.records, p.bytes
  from partitions p, meta v where p.key = $1 and v.min_writer <= 1 for update of p`;
const insertHead = `insert into partitions (key, salt, seq, recorded_at, records, bytes)
  values ($1, $2, 0, 0, 0, 0) on conflict do nothing`;
const updateHead = "update partitions set seq = $1, recorded_at = $2, records = $3, bytes = $4 where id = $5";
const findReceipt = "select fingerprint from operation where partition = $1 and id = $2";
const insertReceipt = "insert into operation values ($1, $2, $3, $4, $5, $6)";
const insertChange =
  "insert into change (partition, seq, kind, id, operation, at) values ($1, $2, $3, $4, $5, $6)";
const insertMessage = `insert into message
  values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`;
const insertValue = "insert into value values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9)";
const findValue =
  "select id, value from value where partition = $1 and agent_id = $2 and scope = $3 and key = $4";
const updateValue =
  "update value set value = $1, bytes = bytes + $2, updated_seq = $3 where partition = $4 and id = $5";

const columns = ["id", "seq", "updated_seq", "recorded_at", "session_id", "agent_id", "role", "content"]
  .concat(["name", "tool_calls", "tool_call_id", "said_at", "metadata", "expires_at"])
  .map((column) => `m.${column}`)
  .join(", ");
const inPartition = `partition = (select id from partitions where key = $1)
  and (select min_reader from meta) <= 1`;
const readFrom = `select ${columns} from message m
  where m.${inPartition} and (m.expires_at is null or m.expires_at > $2)`;
const readMessage = `${readFrom} and m.id = $3`;
const readSession = `${readFrom} and m.session_id = $3 order by m.seq desc limit $4`;
const readAgent = `${readFrom} and m.agent_id = $3 order by m.seq desc limit $4`;
const readTime = `${readFrom} order by m.said_at desc, m.seq desc limit $3`;
const readHead = "select seq, recorded_at, records, bytes from partitions where key = $1";
const readValue = `select value from value where ${inPartition} and agent_id = $2 and scope = $3 and key = $4`;
