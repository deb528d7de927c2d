import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { Connection } from "./connection.ts";

const folder = temporaryFolder();
let connection: Connection;

beforeEach(() => {
  connection = Connection.open(folder.path("test.db"));
});
afterEach(() => connection.close());

const text = (number: number): string => `select ${number}`;

test("a statement that is used again and again is prepared once, however many others come", () => {
  const often = connection.statement(text(-1));
  for (let number = 0; number < 5_000; number++) {
    expect(connection.statement(text(number)).get()).toEqual([number]);
    if (number % 100 === 0) expect(connection.statement(text(-1))).toBe(often);
  }
});

test("statements that came once are let go", () => {
  const once = connection.statement(text(0));
  for (let number = 1; number <= 500; number++) connection.statement(text(number));
  expect(connection.statement(text(0))).not.toBe(once);
  expect(connection.statement(text(0)).get()).toEqual([0]);
});

test("where nothing is found, or nothing can be, code that is too old is told so", () => {
  const outdated = expect.objectContaining({ code: "outdated" });
  expect(connection.readOne(() => [])).toEqual([]);
  connection.db.exec(`update "meta" set "min_reader" = 1000`);
  expect(() => connection.readOne(() => [])).toThrow(outdated);
  expect(() =>
    connection.readOne((open) => open.statement(`select "column of newer code" from "gone"`).all()),
  ).toThrow(outdated);
});
