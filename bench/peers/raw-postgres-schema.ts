/** What a careful application would lay out by hand for the same promises. */
export function rawPostgresSchema(schema: string): string {
  return `
create schema "${schema}";
set search_path to "${schema}";
create table meta (min_reader integer not null, min_writer integer not null);
insert into meta values (1, 1);
create table partitions (
  id integer generated always as identity primary key, key text collate "C" not null unique,
  salt text not null, seq bigint not null, recorded_at bigint not null, records bigint not null,
  bytes bigint not null
);
create table message (
  partition integer not null, id text collate "C" not null, seq bigint not null, updated_seq bigint not null,
  recorded_at bigint not null, bytes bigint not null, session_id text collate "C" not null,
  agent_id text collate "C" not null, role text not null, content text not null, name text, tool_calls text,
  tool_call_id text, said_at bigint not null, metadata text, expires_at bigint,
  primary key (partition, id)
);
create index message_by_session on message (partition, session_id, seq);
create index message_by_agent on message (partition, agent_id, seq);
create index message_by_time on message (partition, said_at, seq);
create index message_expiry on message (expires_at) where expires_at is not null;
create table value (
  partition integer not null, id text collate "C" not null, seq bigint not null, updated_seq bigint not null,
  recorded_at bigint not null, bytes bigint not null, agent_id text collate "C" not null,
  scope text collate "C" not null, key text collate "C" not null, value text not null,
  primary key (partition, id)
);
create unique index value_by_key on value (partition, agent_id, scope, key);
create table operation (
  partition integer not null, id text collate "C" not null, fingerprint bytea not null, seq bigint not null,
  recorded_at bigint not null, inserted integer not null,
  primary key (partition, id)
);
create table change (
  xid xid8 not null default pg_current_xact_id(), seq bigint not null, partition integer not null,
  kind text not null, id text not null, operation text not null, at bigint not null,
  primary key (xid, seq)
);
`;
}
