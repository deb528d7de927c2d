import type { Migration } from "../sql/migration.ts";

/** The advisory lock under which the extension is made: one number for all schemas of a database. */
const extensionLock = "7162345480316221804";

export const migrations: readonly Migration[] = [
  {
    version: 1,
    minReader: 1,
    minWriter: 1,
    // Text is compared by its bytes. Tables do not refer to partitions by foreign keys, each of which would be a look-up for
    // every row: a partition's row is never deleted. A partition's key may be longer than an index entry can be, hence a
    // hash for its uniqueness and a part of it for its order. The heads of partitions change with every commit: free space
    // beside them keeps their new versions on the same page, out of the indexes.
    sql: `
create table "meta" (
  "version" integer not null, "min_reader" integer not null, "min_writer" integer not null,
  "feed" text collate "C" not null, "pruned_xid" xid8 not null, "pruned_seq" bigint not null
);
insert into "meta" values (0, 0, 0, left(md5(gen_random_uuid()::text), 16), '0', 0);

create table "partitions" (
  "id" integer primary key generated always as identity, "key" text collate "C" not null,
  "namespace" text collate "C" not null, "user_id" text collate "C", "seq" bigint not null default 0,
  "generation" bigint not null default 0, "salt" text collate "C" not null,
  "recorded_at" bigint not null default 0, "records" bigint not null default 0,
  "bytes" bigint not null default 0, "policy" text collate "C" not null default '{}',
  constraint "partitions_by_key" exclude using hash ("key" with =)
) with (fillfactor = 50);
create index "partitions_in_order" on "partitions" (left("key", 512));

create table "change" (
  "xid" xid8 not null default pg_current_xact_id(), "seq" bigint not null, "partition" integer not null,
  "kind" text collate "C" not null, "id" text collate "C" not null, "operation" text collate "C" not null,
  "at" bigint not null,
  primary key ("xid", "seq")
);
create index "change_by_partition" on "change" ("partition");
create index "change_by_time" on "change" ("at");

create table "message" (
  "partition" integer not null, "id" text collate "C" not null, "seq" bigint not null,
  "updated_seq" bigint not null, "recorded_at" bigint not null, "repaired" boolean, "bytes" bigint not null,
  "session_id" text collate "C" not null, "agent_id" text collate "C" not null,
  "role" text collate "C" not null, "content" text collate "C" not null, "name" text collate "C",
  "tool_calls" text collate "C", "tool_call_id" text collate "C" not null, "said_at" bigint not null,
  "metadata" text collate "C", "expires_at" bigint,
  primary key ("partition", "id")
);
create index "message_by_session" on "message" ("partition", "session_id", "seq", "id");
create index "message_by_agent" on "message" ("partition", "agent_id", "seq", "id");
create index "message_by_time" on "message" ("partition", "said_at", "seq", "id");
create index "message_expiry" on "message" ("expires_at") where "expires_at" is not null;

create table "episode" (
  "partition" integer not null, "id" text collate "C" not null, "seq" bigint not null,
  "updated_seq" bigint not null, "recorded_at" bigint not null, "repaired" boolean, "bytes" bigint not null,
  "session_id" text collate "C" not null, "agent_id" text collate "C" not null,
  "input" text collate "C" not null, "output" text collate "C" not null, "transcript" text collate "C",
  "occurred_at" bigint not null, "metadata" text collate "C", "expires_at" bigint,
  primary key ("partition", "id")
);
create index "episode_by_session" on "episode" ("partition", "session_id", "seq", "id");
create index "episode_by_agent" on "episode" ("partition", "agent_id", "seq", "id");
create index "episode_by_time" on "episode" ("partition", "occurred_at", "seq", "id");
create index "episode_expiry" on "episode" ("expires_at") where "expires_at" is not null;

create table "text" (
  "partition" integer not null, "id" text collate "C" not null, "seq" bigint not null,
  "updated_seq" bigint not null, "recorded_at" bigint not null, "repaired" boolean, "bytes" bigint not null,
  "session_id" text collate "C" not null, "agent_id" text collate "C" not null,
  "form" text collate "C" not null, "content" text collate "C" not null,
  "content_key" text collate "C" not null, "provenance" text collate "C" not null,
  "stated_at" bigint not null, "metadata" text collate "C", "expires_at" bigint,
  primary key ("partition", "id")
);
create index "text_by_session" on "text" ("partition", "session_id", "seq", "id");
create index "text_by_agent" on "text" ("partition", "agent_id", "seq", "id");
create index "text_by_form" on "text" ("partition", "form", "seq", "id");
create index "text_by_time" on "text" ("partition", "stated_at", "seq", "id");
create index "text_by_content" on "text" ("partition", "content_key", "seq", "id");
create index "text_expiry" on "text" ("expires_at") where "expires_at" is not null;

create table "grain" (
  "partition" integer not null, "id" text collate "C" not null, "seq" bigint not null,
  "updated_seq" bigint not null, "recorded_at" bigint not null, "repaired" boolean, "bytes" bigint not null,
  "session_id" text collate "C" not null, "agent_id" text collate "C" not null,
  "owner_kind" text collate "C" not null, "owner_id" text collate "C" not null, "start" bigint,
  "end" bigint, "status" text collate "C" not null, "provenance" text collate "C" not null,
  "importance" double precision, "pinned" boolean, "said_at" bigint not null, "metadata" text collate "C",
  "expires_at" bigint,
  primary key ("partition", "id")
);
create index "grain_by_session" on "grain" ("partition", "session_id", "seq", "id");
create index "grain_by_agent" on "grain" ("partition", "agent_id", "seq", "id");
create index "grain_by_owner" on "grain" ("partition", "owner_kind", "owner_id", "seq", "id");
create index "grain_by_status" on "grain" ("partition", "status", "seq", "id");
create index "grain_by_time" on "grain" ("partition", "said_at", "seq", "id");
create index "grain_expiry" on "grain" ("expires_at") where "expires_at" is not null;

create table "fact" (
  "partition" integer not null, "id" text collate "C" not null, "seq" bigint not null,
  "updated_seq" bigint not null, "recorded_at" bigint not null, "repaired" boolean, "bytes" bigint not null,
  "session_id" text collate "C" not null, "agent_id" text collate "C" not null,
  "fact_id" text collate "C" not null, "subject" text collate "C" not null,
  "predicate" text collate "C" not null, "object" text collate "C" not null, "affirmed" boolean not null,
  "confidence" double precision not null, "provenance" text collate "C" not null,
  "valid_from" text collate "C", "valid_until" text collate "C", "status" text collate "C" not null,
  "retired_at" bigint, "reason" text collate "C",
  primary key ("partition", "id")
);
create index "fact_by_session" on "fact" ("partition", "session_id", "seq", "id");
create index "fact_by_agent" on "fact" ("partition", "agent_id", "seq", "id");
create index "fact_by_fact" on "fact" ("partition", "fact_id", "seq", "id");
create index "fact_by_subject" on "fact" ("partition", "subject", "predicate", "status", "seq", "id");
create index "fact_by_status" on "fact" ("partition", "status", "seq", "id");

create table "block" (
  "partition" integer not null, "id" text collate "C" not null, "seq" bigint not null,
  "updated_seq" bigint not null, "recorded_at" bigint not null, "repaired" boolean, "bytes" bigint not null,
  "agent_id" text collate "C" not null, "name" text collate "C" not null,
  "content" text collate "C" not null, "position" bigint not null, "pinned" boolean, "max_bytes" bigint,
  primary key ("partition", "id")
);
create unique index "block_by_name" on "block" ("partition", "agent_id", "name");

create table "value" (
  "partition" integer not null, "id" text collate "C" not null, "seq" bigint not null,
  "updated_seq" bigint not null, "recorded_at" bigint not null, "repaired" boolean, "bytes" bigint not null,
  "agent_id" text collate "C" not null, "scope" text collate "C" not null, "key" text collate "C" not null,
  "value" text collate "C" not null,
  primary key ("partition", "id")
);
create unique index "value_by_key" on "value" ("partition", "agent_id", "scope", "key");

create table "conduit" (
  "partition" integer not null, "id" text collate "C" not null, "seq" bigint not null,
  "updated_seq" bigint not null, "recorded_at" bigint not null, "repaired" boolean, "bytes" bigint not null,
  "from_id" text collate "C" not null, "to_id" text collate "C" not null,
  "relation" text collate "C" not null, "weight" double precision not null, "use_count" bigint not null,
  "last_used_at" bigint,
  primary key ("partition", "id")
);
create unique index "conduit_by_ends" on "conduit" ("partition", "from_id", "to_id", "relation");
create index "conduit_by_target" on "conduit" ("partition", "to_id", "from_id", "id");

create table "trace" (
  "partition" integer not null, "id" text collate "C" not null, "seq" bigint not null,
  "updated_seq" bigint not null, "recorded_at" bigint not null, "repaired" boolean, "bytes" bigint not null,
  "session_id" text collate "C" not null, "agent_id" text collate "C" not null,
  "query" text collate "C" not null, "hits" text collate "C" not null, "caller" text collate "C" not null,
  "expires_at" bigint,
  primary key ("partition", "id")
);
create index "trace_by_session" on "trace" ("partition", "session_id", "seq", "id");
create index "trace_by_agent" on "trace" ("partition", "agent_id", "seq", "id");
create index "trace_by_seq" on "trace" ("partition", "seq", "id");
create index "trace_expiry" on "trace" ("expires_at") where "expires_at" is not null;

create table "operation" (
  "partition" integer not null, "id" text collate "C" not null, "fingerprint" text collate "C" not null,
  "generation" bigint not null, "seq" bigint not null, "recorded_at" bigint not null,
  "inserted" bigint not null, "ids" text collate "C", "repaired" text collate "C", "result" text collate "C",
  primary key ("partition", "id")
);
create index "operation_results" on "operation" ("partition") where "result" is not null;

create table "job" (
  "partition" integer not null, "id" text collate "C" not null, "seq" bigint not null,
  "queue" text collate "C" not null, "payload" text collate "C", "dead" boolean not null,
  "attempts" bigint not null, "max_attempts" bigint not null, "ready_at" bigint not null,
  "lease" text collate "C" not null, "generation" bigint not null, "error" text collate "C",
  primary key ("partition", "id")
);
create index "job_ready" on "job" ("queue", "ready_at") where not "dead";
create index "job_lanes" on "job" ("queue", "partition", "seq", "id") where not "dead";
create index "job_by_lane" on "job" ("partition", "dead", "queue", "seq", "id");

create table "marker" (
  "partition" integer not null, "kind" text collate "C" not null, "id" text collate "C" not null,
  "erasure" text collate "C" not null,
  primary key ("partition", "kind", "id")
);
create index "marker_by_erasure" on "marker" ("partition", "erasure", "kind", "id");

create table "link" (
  "partition" integer not null, "derived_kind" text collate "C" not null,
  "derived_id" text collate "C" not null, "source_kind" text collate "C" not null,
  "source_id" text collate "C" not null, "role" text collate "C" not null, "start" bigint, "end" bigint,
  primary key ("partition", "derived_kind", "derived_id", "source_kind", "source_id", "role")
);
create index "link_by_source" on "link" ("partition", "source_kind", "source_id", "derived_kind", "derived_id", "role");

create table "erasure" (
  "partition" integer not null, "id" text collate "C" not null, "physical" boolean not null,
  "everything" boolean not null, "seq" bigint not null, "recorded_at" bigint not null,
  "counts" text collate "C" not null, "scope" text collate "C" not null, "mark" text collate "C" not null,
  primary key ("partition", "id")
);
create index "erasure_by_state" on "erasure" ("partition", "physical", "id");
create index "erasure_pending" on "erasure" ("partition", "id") where not "physical";
`,
  },
  {
    version: 2,
    minReader: 2,
    minWriter: 2,
    // The index of grains. A posting is what BM25 needs to know of a term in an entry, all of it in the key's index; the entry
    // has the terms as they came, separated by spaces, so that its postings are found without an index of their own. The
    // size of what a space holds of a partition changes with every commit.
    //
    // Vectors are of pgvector's type where it is there or can be made, which not every role and server can, and else
    // little-endian 32-bit floats with their order. Several processes may make it for several schemas of one database: they
    // take turns, and whoever comes too late for others still finds it there. Vectors of up to 2,000 numbers stay in their
    // rows, where a search reads them twice as fast.
    sql: `
alter table "grain" add column "author" text collate "C";
alter table "grain" add column "mentions" bigint;

create table "space" (
  "id" integer primary key generated always as identity, "kind" text collate "C" not null,
  "maker" text collate "C" not null, "dimensions" integer not null, "state" text collate "C" not null
);

create table "entry" (
  "partition" integer not null, "space" integer not null, "seq" bigint not null, "grain_id" text collate "C" not null,
  "length" integer not null, "terms" text collate "C" not null,
  primary key ("partition", "space", "seq")
);
create unique index "entry_by_grain" on "entry" ("partition", "grain_id", "space");

create table "posting" (
  "partition" integer not null, "space" integer not null, "term" text collate "C" not null, "seq" bigint not null,
  "count" integer not null, "length" integer not null,
  primary key ("partition", "space", "term", "seq") include ("count", "length")
);

create table "index_size" (
  "space" integer not null, "partition" integer not null, "entries" bigint not null, "terms" bigint not null,
  "removed" bigint not null,
  primary key ("space", "partition")
) with (fillfactor = 50);

do $$
declare
  place text;
begin
  perform pg_advisory_xact_lock(${extensionLock});
  begin
    create extension if not exists "vector" schema "public";
  exception when insufficient_privilege or feature_not_supported or undefined_file or invalid_schema_name
    or unique_violation or duplicate_object then
    null;
  end;
  select quote_ident(n.nspname) into place
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'vector' and has_schema_privilege(n.oid, 'usage');
  if place is null then
    create table "vector" (
      "partition" integer not null, "space" integer not null, "grain_id" text collate "C" not null, "seq" bigint not null,
      "position" bigint not null generated always as identity, "vector" bytea not null,
      primary key ("partition", "space", "grain_id")
    );
    create index "vector_by_position" on "vector" ("partition", "space", "position");
  else
    execute format('create table "vector" (
      "partition" integer not null, "space" integer not null, "grain_id" text collate "C" not null, "seq" bigint not null,
      "vector" %s."vector" not null,
      primary key ("partition", "space", "grain_id")
    )', place);
  end if;
  alter table "vector" alter column "vector" set storage external;
  alter table "vector" set (toast_tuple_target = 8160);
end
$$;
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
alter table "fact" add column "expires_at" bigint;
create index "fact_expiry" on "fact" ("expires_at") where "expires_at" is not null;
create index "trace_by_caller" on "trace" ("partition", "caller", "recorded_at", "seq", "id");

create table "feedback" (
  "partition" integer not null, "id" text collate "C" not null, "seq" bigint not null,
  "updated_seq" bigint not null, "recorded_at" bigint not null, "repaired" boolean, "bytes" bigint not null,
  "trace_id" text collate "C" not null, "grain_id" text collate "C" not null,
  "caller" text collate "C" not null, "useful" boolean not null,
  primary key ("partition", "id")
);
create index "feedback_by_trace" on "feedback" ("partition", "trace_id", "grain_id", "seq", "id");
create index "feedback_by_grain" on "feedback" ("partition", "grain_id", "seq", "id");

create table "purge" (
  "partition" integer not null, "id" text collate "C" not null, "state" text collate "C" not null,
  "seq" bigint not null, "recorded_at" bigint not null, "until" bigint not null,
  "counts" text collate "C" not null, "scope" text collate "C" not null, "undo" text collate "C" not null,
  "restored" text collate "C", "expires_at" bigint,
  primary key ("partition", "id")
);
create index "purge_by_state" on "purge" ("partition", "state", "id");
create index "purge_expiry" on "purge" ("expires_at") where "expires_at" is not null;

create table "seal" (
  "partition" integer not null, "kind" text collate "C" not null, "id" text collate "C" not null,
  "purge" text collate "C" not null, "named" boolean not null, "expires" bigint, "job" text collate "C",
  primary key ("partition", "kind", "id", "purge")
);
create index "seal_by_purge" on "seal" ("partition", "purge", "kind", "id");
`,
  },
  {
    version: 5,
    minReader: 4,
    minWriter: 5,
    // Older code would not keep the counts. Grains with the least of all ends are hidden by purges.
    sql: `
alter table "partitions" add column "grains" text collate "C" not null
  default '{"active":0,"dormant":0,"quarantined":0,"archived":0}';
update "partitions" set "grains" = (select json_build_object(
  'active', count(*) filter (where g."status" = 'active'),
  'dormant', count(*) filter (where g."status" = 'dormant'),
  'quarantined', count(*) filter (where g."status" = 'quarantined'),
  'archived', count(*) filter (where g."status" = 'archived')
)::text from "grain" g
  where g."partition" = "partitions"."id" and (g."expires_at" is null or g."expires_at" <> -8640000000000001));

alter table "trace" add column "feedback" text collate "C" not null default '';
drop index "trace_by_caller";
create index "trace_by_caller" on "trace" ("partition", "caller", "feedback", "recorded_at", "seq", "id");
`,
  },
  {
    version: 6,
    minReader: 4,
    minWriter: 6,
    // Facts are found by their canonical subjects and objects, which older code would not write. What was stored without them is
    // found by its first 60 characters, 240 bytes at most, in lower case as far as they are ASCII.
    sql: `
create index "episode_by_seq" on "episode" ("partition", "seq", "id");

alter table "grain" add column "superseded_by" text collate "C" not null default '';
alter table "block" add column "updated_at" bigint;

alter table "fact" add column "subject_key" text collate "C" not null default '';
alter table "fact" add column "object_key" text collate "C" not null default '';
alter table "fact" add column "recorded_from" bigint not null default 0;
alter table "fact" add column "retired_reason" text collate "C";
alter table "fact" add column "mentions" bigint;
alter table "fact" add column "evidence" text collate "C";
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
