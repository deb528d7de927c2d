import type { Migration } from "../sql/migration.ts";

export const migrations: readonly Migration[] = [
  {
    version: 1,
    minReader: 1,
    minWriter: 1,
    // Records have row ids, so that new ones lie next to each other and an index entry is small beside their text. Tables
    // of small rows are kept in the order of their key, conduits in that of their ends, which propagation reads.
    sql: `
create table "meta" (
  "version" integer not null, "min_reader" integer not null, "min_writer" integer not null,
  "feed" text not null, "pruned" integer not null, "cleaning" integer not null, "cleaned" integer not null
) strict;
insert into "meta" values (0, 0, 0, lower(hex(randomblob(8))), 0, 0, 0);

create table "partitions" (
  "id" integer primary key, "key" text not null unique, "namespace" text not null, "user_id" text,
  "seq" integer not null, "generation" integer not null, "salt" text not null,
  "recorded_at" integer not null, "records" integer not null, "bytes" integer not null,
  "policy" text not null
) strict;

create table "change" (
  "position" integer primary key, "partition" integer not null, "seq" integer not null,
  "kind" text not null, "id" text not null, "operation" text not null, "at" integer not null
) strict;
create index "change_by_partition" on "change" ("partition");
create index "change_by_time" on "change" ("at");

create table "message" (
  "partition" integer not null, "id" text not null, "seq" integer not null, "updated_seq" integer not null,
  "recorded_at" integer not null, "repaired" integer, "bytes" integer not null, "session_id" text not null,
  "agent_id" text not null, "role" text not null, "content" text not null, "name" text, "tool_calls" text,
  "tool_call_id" text not null, "said_at" integer not null, "metadata" text, "expires_at" integer,
  primary key ("partition", "id")
) strict;
create index "message_by_session" on "message" ("partition", "session_id", "seq", "id");
create index "message_by_agent" on "message" ("partition", "agent_id", "seq", "id");
create index "message_by_time" on "message" ("partition", "said_at", "seq", "id");
create index "message_expiry" on "message" ("expires_at") where "expires_at" is not null;

create table "episode" (
  "partition" integer not null, "id" text not null, "seq" integer not null, "updated_seq" integer not null,
  "recorded_at" integer not null, "repaired" integer, "bytes" integer not null, "session_id" text not null,
  "agent_id" text not null, "input" text not null, "output" text not null, "transcript" text,
  "occurred_at" integer not null, "metadata" text, "expires_at" integer,
  primary key ("partition", "id")
) strict;
create index "episode_by_session" on "episode" ("partition", "session_id", "seq", "id");
create index "episode_by_agent" on "episode" ("partition", "agent_id", "seq", "id");
create index "episode_by_time" on "episode" ("partition", "occurred_at", "seq", "id");
create index "episode_expiry" on "episode" ("expires_at") where "expires_at" is not null;

create table "text" (
  "partition" integer not null, "id" text not null, "seq" integer not null, "updated_seq" integer not null,
  "recorded_at" integer not null, "repaired" integer, "bytes" integer not null, "session_id" text not null,
  "agent_id" text not null, "form" text not null, "content" text not null, "content_key" text not null,
  "provenance" text not null, "stated_at" integer not null, "metadata" text, "expires_at" integer,
  primary key ("partition", "id")
) strict;
create index "text_by_session" on "text" ("partition", "session_id", "seq", "id");
create index "text_by_agent" on "text" ("partition", "agent_id", "seq", "id");
create index "text_by_form" on "text" ("partition", "form", "seq", "id");
create index "text_by_time" on "text" ("partition", "stated_at", "seq", "id");
create index "text_by_content" on "text" ("partition", "content_key", "seq", "id");
create index "text_expiry" on "text" ("expires_at") where "expires_at" is not null;

create table "grain" (
  "partition" integer not null, "id" text not null, "seq" integer not null, "updated_seq" integer not null,
  "recorded_at" integer not null, "repaired" integer, "bytes" integer not null, "session_id" text not null,
  "agent_id" text not null, "owner_kind" text not null, "owner_id" text not null, "start" integer,
  "end" integer, "status" text not null, "provenance" text not null, "importance" real, "pinned" integer,
  "said_at" integer not null, "metadata" text, "expires_at" integer,
  primary key ("partition", "id")
) strict;
create index "grain_by_session" on "grain" ("partition", "session_id", "seq", "id");
create index "grain_by_agent" on "grain" ("partition", "agent_id", "seq", "id");
create index "grain_by_owner" on "grain" ("partition", "owner_kind", "owner_id", "seq", "id");
create index "grain_by_status" on "grain" ("partition", "status", "seq", "id");
create index "grain_by_time" on "grain" ("partition", "said_at", "seq", "id");
create index "grain_expiry" on "grain" ("expires_at") where "expires_at" is not null;

create table "fact" (
  "partition" integer not null, "id" text not null, "seq" integer not null, "updated_seq" integer not null,
  "recorded_at" integer not null, "repaired" integer, "bytes" integer not null, "session_id" text not null,
  "agent_id" text not null, "fact_id" text not null, "subject" text not null, "predicate" text not null,
  "object" text not null, "affirmed" integer not null, "confidence" real not null,
  "provenance" text not null, "valid_from" text, "valid_until" text, "status" text not null,
  "retired_at" integer, "reason" text,
  primary key ("partition", "id")
) strict;
create index "fact_by_session" on "fact" ("partition", "session_id", "seq", "id");
create index "fact_by_agent" on "fact" ("partition", "agent_id", "seq", "id");
create index "fact_by_fact" on "fact" ("partition", "fact_id", "seq", "id");
create index "fact_by_subject" on "fact" ("partition", "subject", "predicate", "status", "seq", "id");
create index "fact_by_status" on "fact" ("partition", "status", "seq", "id");

create table "block" (
  "partition" integer not null, "id" text not null, "seq" integer not null, "updated_seq" integer not null,
  "recorded_at" integer not null, "repaired" integer, "bytes" integer not null, "agent_id" text not null,
  "name" text not null, "content" text not null, "position" integer not null, "pinned" integer,
  "max_bytes" integer,
  primary key ("partition", "id")
) strict;
create unique index "block_by_name" on "block" ("partition", "agent_id", "name");

create table "value" (
  "partition" integer not null, "id" text not null, "seq" integer not null, "updated_seq" integer not null,
  "recorded_at" integer not null, "repaired" integer, "bytes" integer not null, "agent_id" text not null,
  "scope" text not null, "key" text not null, "value" text not null,
  primary key ("partition", "id")
) strict;
create unique index "value_by_key" on "value" ("partition", "agent_id", "scope", "key");

create table "conduit" (
  "partition" integer not null, "id" text not null, "seq" integer not null, "updated_seq" integer not null,
  "recorded_at" integer not null, "repaired" integer, "bytes" integer not null, "from_id" text not null,
  "to_id" text not null, "relation" text not null, "weight" real not null, "use_count" integer not null,
  "last_used_at" integer,
  primary key ("partition", "from_id", "to_id", "relation")
) strict, without rowid;
create unique index "conduit_by_id" on "conduit" ("partition", "id");
create index "conduit_by_target" on "conduit" ("partition", "to_id", "from_id", "id");

create table "trace" (
  "partition" integer not null, "id" text not null, "seq" integer not null, "updated_seq" integer not null,
  "recorded_at" integer not null, "repaired" integer, "bytes" integer not null, "session_id" text not null,
  "agent_id" text not null, "query" text not null, "hits" text not null, "caller" text not null,
  "expires_at" integer,
  primary key ("partition", "id")
) strict;
create index "trace_by_session" on "trace" ("partition", "session_id", "seq", "id");
create index "trace_by_agent" on "trace" ("partition", "agent_id", "seq", "id");
create index "trace_by_seq" on "trace" ("partition", "seq", "id");
create index "trace_expiry" on "trace" ("expires_at") where "expires_at" is not null;

create table "operation" (
  "partition" integer not null, "id" text not null, "fingerprint" text not null,
  "generation" integer not null, "seq" integer not null, "recorded_at" integer not null,
  "inserted" integer not null, "ids" text, "repaired" text, "result" text,
  primary key ("partition", "id")
) strict, without rowid;
create index "operation_results" on "operation" ("partition") where "result" is not null;

create table "job" (
  "partition" integer not null, "id" text not null, "seq" integer not null, "queue" text not null,
  "payload" text, "dead" integer not null, "attempts" integer not null, "max_attempts" integer not null,
  "ready_at" integer not null, "lease" text not null, "generation" integer not null, "error" text,
  primary key ("partition", "id")
) strict, without rowid;
create index "job_by_lane" on "job" ("partition", "dead", "queue", "seq", "id");
create index "job_lanes" on "job" ("queue", "partition") where "dead" = 0;

create table "marker" (
  "partition" integer not null, "kind" text not null, "id" text not null, "erasure" text not null,
  primary key ("partition", "kind", "id")
) strict, without rowid;
create index "marker_by_erasure" on "marker" ("partition", "erasure", "kind", "id");

create table "link" (
  "partition" integer not null, "derived_kind" text not null, "derived_id" text not null,
  "source_kind" text not null, "source_id" text not null, "role" text not null, "start" integer,
  "end" integer,
  primary key ("partition", "derived_kind", "derived_id", "source_kind", "source_id", "role")
) strict, without rowid;
create index "link_by_source" on "link" ("partition", "source_kind", "source_id", "derived_kind", "derived_id", "role");

create table "erasure" (
  "partition" integer not null, "id" text not null, "physical" integer not null,
  "everything" integer not null, "seq" integer not null, "recorded_at" integer not null,
  "counts" text not null, "scope" text not null, "mark" text not null,
  primary key ("partition", "id")
) strict, without rowid;
create index "erasure_by_state" on "erasure" ("partition", "physical", "id");
create index "erasure_pending" on "erasure" ("partition") where "physical" = 0;
`,
  },
  {
    version: 2,
    minReader: 2,
    minWriter: 2,
    // The index of grains. The full-text table holds tokens that begin with their partition and space, and no text; what it
    // has to forget is in "entry". Vectors are little-endian 32-bit floats.
    sql: `
alter table "grain" add column "author" text;
alter table "grain" add column "mentions" integer;

create table "space" (
  "id" integer primary key autoincrement, "kind" text not null, "maker" text not null,
  "dimensions" integer not null, "state" text not null
) strict;

create table "entry" (
  "position" integer primary key, "partition" integer not null, "grain_id" text not null, "space" integer not null,
  "length" integer not null, "terms" text not null,
  unique ("partition", "grain_id", "space")
) strict;
create index "entry_by_space" on "entry" ("partition", "space", "position");
create virtual table "entry_tokens" using fts5(
  "tokens", content='', tokenize="ascii tokenchars '!#$%&()*+,-./:;<=>?@[\\]^_\`{|}~'"
);
insert into "entry_tokens" ("entry_tokens", rank) values ('secure-delete', 1);
create virtual table "entry_vocabulary" using fts5vocab("entry_tokens", "row");

create table "vector" (
  "position" integer primary key autoincrement, "partition" integer not null, "grain_id" text not null,
  "space" integer not null, "vector" blob not null,
  unique ("partition", "grain_id", "space")
) strict;
create index "vector_by_space" on "vector" ("partition", "space", "position");

create table "index_size" (
  "partition" integer not null, "space" integer not null, "entries" integer not null, "terms" integer not null,
  "removed" integer not null,
  primary key ("partition", "space")
) strict, without rowid;
`,
  },
  {
    version: 3,
    minReader: 2,
    minWriter: 2,
    // Texts and messages in the order in which they were stored, whatever their labels.
    sql: `
create index "message_by_seq" on "message" ("partition", "seq", "id");
create index "text_by_seq" on "text" ("partition", "seq", "id");
`,
  },
  {
    version: 4,
    minReader: 4,
    minWriter: 4,
    // Older code would show facts that are hidden, and erase what a purge has hidden before its time.
    sql: `
alter table "fact" add column "expires_at" integer;
create index "fact_expiry" on "fact" ("expires_at") where "expires_at" is not null;
create index "trace_by_caller" on "trace" ("partition", "caller", "recorded_at", "seq", "id");

create table "feedback" (
  "partition" integer not null, "id" text not null, "seq" integer not null, "updated_seq" integer not null,
  "recorded_at" integer not null, "repaired" integer, "bytes" integer not null, "trace_id" text not null,
  "grain_id" text not null, "caller" text not null, "useful" integer not null,
  primary key ("partition", "id")
) strict;
create index "feedback_by_trace" on "feedback" ("partition", "trace_id", "grain_id", "seq", "id");
create index "feedback_by_grain" on "feedback" ("partition", "grain_id", "seq", "id");

create table "purge" (
  "partition" integer not null, "id" text not null, "state" text not null, "seq" integer not null,
  "recorded_at" integer not null, "until" integer not null, "counts" text not null, "scope" text not null,
  "undo" text not null, "restored" text, "expires_at" integer,
  primary key ("partition", "id")
) strict, without rowid;
create index "purge_by_state" on "purge" ("partition", "state", "id");
create index "purge_expiry" on "purge" ("expires_at") where "expires_at" is not null;

create table "seal" (
  "partition" integer not null, "kind" text not null, "id" text not null, "purge" text not null,
  "named" integer not null, "expires" integer, "job" text,
  primary key ("partition", "kind", "id", "purge")
) strict, without rowid;
create index "seal_by_purge" on "seal" ("partition", "purge", "kind", "id");
`,
  },
  {
    version: 5,
    minReader: 4,
    minWriter: 5,
    // Older code would not keep the counts. Grains with the least of all ends are hidden by purges.
    sql: `
alter table "partitions" add column "grains" text not null
  default '{"active":0,"dormant":0,"quarantined":0,"archived":0}';
update "partitions" set "grains" = (select json_object(
  'active', count(*) filter (where g."status" = 'active'),
  'dormant', count(*) filter (where g."status" = 'dormant'),
  'quarantined', count(*) filter (where g."status" = 'quarantined'),
  'archived', count(*) filter (where g."status" = 'archived')
) from "grain" g
  where g."partition" = "partitions"."id" and (g."expires_at" is null or g."expires_at" <> -8640000000000001));

alter table "trace" add column "feedback" text not null default '';
drop index "trace_by_caller";
create index "trace_by_caller" on "trace" ("partition", "caller", "feedback", "recorded_at", "seq", "id");
`,
  },
  {
    version: 6,
    minReader: 4,
    minWriter: 5,
    // Status is polled, and counts jobs by these.
    sql: `
create index "job_states" on "job" ("queue", "dead", "error");
`,
  },
  {
    version: 7,
    minReader: 4,
    minWriter: 7,
    // Older code would give positions of entries a second time.
    sql: `
alter table "meta" add column "last_entry" integer not null default 0;
`,
  },
  {
    version: 8,
    minReader: 4,
    minWriter: 8,
    // Facts are found by their canonical subjects and objects, which older code would not write. What was stored without them is
    // found by its first 60 characters, 240 bytes at most, in lower case as far as they are ASCII.
    sql: `
create index "episode_by_seq" on "episode" ("partition", "seq", "id");

alter table "grain" add column "superseded_by" text not null default '';
alter table "block" add column "updated_at" integer;

alter table "fact" add column "subject_key" text not null default '';
alter table "fact" add column "object_key" text not null default '';
alter table "fact" add column "recorded_from" integer not null default 0;
alter table "fact" add column "retired_reason" text;
alter table "fact" add column "mentions" integer;
alter table "fact" add column "evidence" text;
update "fact" set
  "subject_key" = coalesce(nullif(trim(lower(substr("subject", 1, 60))), ''), '-'),
  "object_key" = coalesce(nullif(trim(lower(substr("object", 1, 60))), ''), '-'),
  "recorded_from" = "recorded_at",
  "retired_reason" = case when "status" = 'retired' then 'replaced' end;
drop index "fact_by_subject";
create index "fact_by_subject" on "fact" ("partition", "status", "subject_key", "predicate", "object_key", "seq", "id");
create index "fact_by_subject_seq" on "fact" ("partition", "status", "subject_key", "seq", "id");
create index "fact_by_subject_predicate" on "fact" ("partition", "status", "subject_key", "predicate", "seq", "id");
create index "fact_by_predicate" on "fact" ("partition", "status", "predicate", "seq", "id");
create index "fact_by_object" on "fact" ("partition", "status", "object_key", "seq", "id");
`,
  },
];
