import { FluxError } from "../../model/errors.ts";
import type { Statement } from "./session.ts";

/** The most characters of a statement's values: with three bytes each, PostgreSQL's limit of a message is still far. */
const maxCharacters = 256 * 1024 * 1024;

/** Statements that change data, side by side in one. Each row is touched by one of them at most. */
export class StatementBuilder {
  readonly #values: (string | number)[];
  readonly #parts: string[] = [];

  constructor(partition: number) {
    this.#values = [partition];
  }

  bind(value: string | number): string {
    this.#values.push(value);
    return `$${this.#values.length}`;
  }

  /** The name by which the statements behind it can refer to what it returns. */
  add(sql: string): string {
    this.#parts.push(sql);
    return `"w${this.#parts.length - 1}"`;
  }

  get empty(): boolean {
    return this.#parts.length === 0;
  }

  /** @throws FluxError `too_large` */
  statement(): Statement {
    const characters = this.#values.reduce<number>(
      (sum, value) => sum + (typeof value === "string" ? value.length : 0),
      0,
    );
    if (characters > maxCharacters) {
      throw new FluxError("too_large", `One commit takes at most ${maxCharacters} characters`, {
        hint: "Write the records in several commits.",
      });
    }
    const others = this.#parts.slice(0, -1).map((sql, i) => `"w${i}" as (${sql})`);
    const text = `${others.length > 0 ? `with ${others.join(", ")} ` : ""}${this.#parts.at(-1)}`;
    return { text, values: this.#values };
  }
}
