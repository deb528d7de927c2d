import Database from "better-sqlite3";

/** What a careful application would lay out by hand for the same promises. */
const schema = `
create table meta (min_reader integer not null, min_writer integer not null) strict;
insert into meta values (1, 1);
create table partitions (
  id integer primary key, key text not null unique, salt text not null, seq integer not null,
  recorded_at integer not null, records integer not null, bytes integer not null
) strict;
create table message (
  partition integer not null, id text not null, seq integer not null, updated_seq integer not null,
  recorded_at integer not null, bytes integer not null, session_id text not null, agent_id text not null,
  role text not null, content text not null, name text, tool_calls text, tool_call_id text,
  said_at integer not null, metadata text, expires_at integer,
  primary key (partition, id)
) strict;
create index message_by_session on message (partition, session_id, seq);
create index message_by_agent on message (partition, agent_id, seq);
create index message_by_time on message (partition, said_at, seq);
create index message_expiry on message (expires_at) where expires_at is not null;
create table value (
  partition integer not null, id text not null, seq integer not null, updated_seq integer not null,
  recorded_at integer not null, bytes integer not null, agent_id text not null, scope text not null,
  key text not null, value text not null,
  primary key (partition, id)
) strict;
create unique index value_by_key on value (partition, agent_id, scope, key);
create table operation (
  partition integer not null, id text not null, fingerprint blob not null, seq integer not null,
  recorded_at integer not null, inserted integer not null,
  primary key (partition, id)
) strict, without rowid;
create table change (
  position integer primary key, partition integer not null, seq integer not null, kind text not null,
  id text not null, operation text not null, at integer not null
) strict;
`;

/** Opens the database and lays it out, unless another process did. */
export function openRawSqlite(path: string, timeout: number): Database.Database {
  const db = new Database(path, { timeout });
  db.pragma("journal_mode = wal");
  db.pragma("synchronous = full");
  db.pragma("secure_delete = on");
  db.exec("begin immediate");
  if (db.prepare("select 1 from sqlite_schema where name = 'meta'").get() === undefined) db.exec(schema);
  db.exec("commit");
  return db;
}

const columns = ["id", "seq", "updated_seq", "recorded_at", "session_id", "agent_id", "role", "content"]
  .concat(["name", "tool_calls", "tool_call_id", "said_at", "metadata", "expires_at"])
  .map((column) => `m.${column}`)
  .join(", ");

export function prepareRawSqlite(db: Database.Database) {
  const statement = (text: string): Database.Statement<unknown[]> => {
    const made = db.prepare<unknown[]>(text);
    return made.reader ? made.raw() : made;
  };
  // `+?`: of a bare parameter in a query with an order or a limit, SQLite looks at the value and plans anew at every call.
  // The version of the database and the partition come with the rows, so that one statement is one snapshot of all.
  const inPartition =
    "partition = (select id from partitions where key = +?) and (select min_reader from meta) <= 1";
  const live = "(m.expires_at is null or m.expires_at > +?)";
  const messages = `select ${columns} from message m where m.${inPartition} and ${live}`;
  return {
    begin: statement("begin immediate"),
    beginRead: statement("begin"),
    commit: statement("commit"),
    savepoint: statement("savepoint member"),
    release: statement("release member"),
    rollbackTo: statement("rollback to member"),
    version: statement("select min_writer from meta"),
    findHead: statement("select id, salt, seq, recorded_at, records, bytes from partitions where key = ?"),
    insertHead: statement(
      "insert into partitions (key, salt, seq, recorded_at, records, bytes) values (?, ?, 0, 0, 0, 0)",
    ),
    updateHead: statement(
      "update partitions set seq = ?, recorded_at = ?, records = ?, bytes = ? where id = ?",
    ),
    findReceipt: statement("select fingerprint from operation where partition = ? and id = ?"),
    insertReceipt: statement("insert into operation values (?, ?, ?, ?, ?, ?)"),
    insertChange: statement(
      "insert into change (partition, seq, kind, id, operation, at) values (?, ?, ?, ?, ?, ?)",
    ),
    insertMessage: statement(`insert into message values (?${", ?".repeat(15)})`),
    insertValue: statement(`insert into value values (?${", ?".repeat(9)})`),
    findValue: statement(
      "select id, value from value where partition = ? and agent_id = ? and scope = ? and key = ?",
    ),
    updateValue: statement(
      "update value set value = ?, bytes = bytes + ?, updated_seq = ? where partition = ? and id = ?",
    ),
    readHead: statement("select p.seq, p.recorded_at, p.records, p.bytes from partitions p where p.key = ?"),
    readValue: statement(
      `select value from value where ${inPartition} and agent_id = ? and scope = ? and key = ?`,
    ),
    readMessage: statement(`${messages} and m.id = +?`),
    readSession: statement(`${messages} and m.session_id = +? order by m.seq desc limit +?`),
    readAgent: statement(`${messages} and m.agent_id = +? order by m.seq desc limit +?`),
    readTime: statement(`${messages} order by m.said_at desc, m.seq desc limit +?`),
  };
}
