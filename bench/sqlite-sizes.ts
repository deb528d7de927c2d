import Database from "better-sqlite3";
import type { Size } from "./store.ts";

/** What the tables and indexes of a database file take, after its log was moved into it. */
export function sqliteSizes(path: string): readonly Size[] {
  const db = new Database(path);
  try {
    db.pragma("wal_checkpoint(truncate)");
    return db
      .prepare<[], { table: string; type: string; bytes: number }>(
        `select s.tbl_name as "table", s.type, sum(d.pgsize) as bytes
        from dbstat d join sqlite_schema s on s.name = d.name group by s.name`,
      )
      .all()
      .map(({ table, type, bytes }) => ({ table, index: type === "index", bytes }));
  } finally {
    db.close();
  }
}
