import Database from "better-sqlite3";
import { englishStopWords } from "../../src/text/stop-words.ts";

/** What it does, in one line for the report. */
export const rawFts5 =
  "better-sqlite3 by hand: WAL, synchronous=FULL; texts in a table, FTS5 with the porter stemmer over them; " +
  "a question is an OR of its words without stop words, ranked by bm25()";

/** Texts of users, searched by words alone. */
export class RawFts5 {
  readonly #db: Database.Database;
  readonly #insert: Database.Statement<[string, string, string]>;
  readonly #addAll: Database.Transaction<(user: string, texts: readonly Text[]) => void>;
  readonly #search: Database.Statement<[string, string, number]>;

  constructor(path: string) {
    this.#db = new Database(path);
    this.#db.pragma("journal_mode = wal");
    this.#db.pragma("synchronous = full");
    this.#db.exec(`
      create table text (id integer primary key, user text not null, label text not null, content text not null);
      create virtual table word using fts5(content, content=text, content_rowid=id, tokenize='porter unicode61');
      create trigger text_inserted after insert on text begin
        insert into word (rowid, content) values (new.id, new.content);
      end;
    `);
    this.#insert = this.#db.prepare("insert into text (user, label, content) values (?, ?, ?)");
    this.#addAll = this.#db.transaction((user, texts) => {
      for (const { label, content } of texts) this.#insert.run(user, label, content);
    });
    this.#search = this.#db.prepare(
      `select text.label, text.content, -bm25(word) as score from word join text on text.id = word.rowid
      where word match ? and text.user = ? order by bm25(word), text.id limit ?`,
    );
  }

  /** In one durable commit. */
  add(user: string, texts: readonly Text[]): void {
    this.#addAll(user, texts);
  }

  search(user: string, question: string, limit: number): readonly (Text & { readonly score: number })[] {
    const words = new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu));
    const match = [...words].filter((word) => !englishStopWords.has(word)).map((word) => `"${word}"`);
    if (match.length === 0) return [];
    return this.#search.all(match.join(" OR "), user, limit) as (Text & { readonly score: number })[];
  }

  close(): void {
    this.#db.close();
  }
}

export interface Text {
  readonly label: string;
  readonly content: string;
}
