import type { Table } from "../table.ts";

/** A name as it stands in SQL, whatever characters it has. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The tables of a schema, qualified, so that no search path matters. */
export class SchemaNames {
  /** The schema's name as it is. */
  readonly name: string;
  /** The schema's name as it stands in SQL. */
  readonly schema: string;
  readonly meta: string;
  readonly partitions: string;
  readonly change: string;
  readonly grain: string;
  readonly space: string;
  readonly entry: string;
  readonly posting: string;
  readonly vector: string;
  readonly indexSize: string;

  constructor(schema: string) {
    this.name = schema;
    this.schema = quoted(schema);
    this.meta = `${this.schema}."meta"`;
    this.partitions = `${this.schema}."partitions"`;
    this.change = `${this.schema}."change"`;
    this.grain = `${this.schema}."grain"`;
    this.space = `${this.schema}."space"`;
    this.entry = `${this.schema}."entry"`;
    this.posting = `${this.schema}."posting"`;
    this.vector = `${this.schema}."vector"`;
    this.indexSize = `${this.schema}."index_size"`;
  }

  /**
   * Joins the partition `p` of a row. Looked up for each row, which the offset makes sure of: the planner would else rather
   * read all partitions once, when it takes them for fewer than they are.
   */
  partitionOf(column: string): string {
    return `cross join lateral (
        select "namespace", "user_id" from ${this.partitions} where "id" = ${column} offset 0
      ) p`;
  }

  table({ name }: Pick<Table, "name">): string {
    return `${this.schema}.${quoted(name)}`;
  }
}
