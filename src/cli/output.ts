import { jsonLine } from "../model/json-line.ts";

/** Where a command writes: what was asked for to standard output, everything else to standard error. */
export class Output {
  /** One JSON document, or one a line, instead of text. */
  readonly json: boolean;

  constructor({ json }: { readonly json: boolean }) {
    this.json = json;
  }

  /** What was asked for: with --json the value in one line, else the text. */
  print(value: unknown, text: string): void {
    process.stdout.write(`${this.json ? jsonLine(value) : text}\n`);
  }

  /** What is told beside it. */
  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }
}
