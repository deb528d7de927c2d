import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Json } from "../model/json.ts";
import { readJson } from "./read-json.ts";

const schema = z.strictObject({ statements: z.array(z.strictObject({ text: z.string() })) });
const read = (answer: string): string[] | undefined =>
  readJson(answer, schema)?.statements.map(({ text }) => text);

const good = '{"statements":[{"text":"She likes tea."},{"text":"He moved to Porto."}]}';
const both = ["She likes tea.", "He moved to Porto."];

/** How models break JSON, and what is to be read nevertheless. */
const broken: readonly (readonly [name: string, answer: string, texts: readonly string[] | undefined])[] = [
  ["nothing around it", good, both],
  ["a fence", `\`\`\`json\n${good}\n\`\`\``, both],
  ["a fence without a language", `\`\`\`\n${good}\n\`\`\``, both],
  ["a fence that never ends", `\`\`\`json\n${good}`, both],
  ["prose before", `Sure! Here are the statements:\n${good}`, both],
  ["prose behind", `${good}\n\nLet me know if you need anything else :}`, both],
  ["prose with brackets around", `As [1] says {roughly}:\n${good}\n[end] {}`, both],
  ["prose with a list of nothing behind", `${good} (nothing else: [])`, both],
  ["an example of the form before it", `The form is {"statements":[]}, so:\n${good}`, both],
  ["thoughts before it", `<think>Maybe {"statements":[{"text":"No!"}]}</think>\n${good}`, both],
  ["thoughts whose beginning is missing", `so {"statements":[]} is it</think>${good}`, both],
  ["a byte order mark", `\ufeff${good}`, both],
  ["an object around it", `{"result": ${good}}`, both],
  ["the same in a list", `[${good}]`, both],
  [
    "commas at the ends",
    '{"statements":[{"text":"She likes tea.",},{"text":"He moved to Porto.",},],}',
    both,
  ],
  ["commas missing", '{"statements":[{"text":"She likes tea."}\n{"text":"He moved to Porto."}]}', both],
  ["single quotes", "{'statements':[{'text':'She likes tea.'},{'text':'He moved to Porto.'}]}", both],
  [
    "an apostrophe in single quotes",
    "{'statements':[{'text':'She's fond of tea.'}]}",
    ["She's fond of tea."],
  ],
  ["an escaped apostrophe", '{"statements":[{"text":"It\\\'s tea."}]}', ["It's tea."]],
  ["typographic quotes", "{“statements”:[{“text”:“She likes tea.”}]}", ["She likes tea."]],
  ["keys without quotes", '{statements:[{text:"She likes tea."}]}', ["She likes tea."]],
  ["quotes inside of a text", '{"statements":[{"text":"She said "tea" to me."}]}', ['She said "tea" to me.']],
  [
    "quotes and a comma inside of a text",
    '{"statements":[{"text":"She said "tea", and left."}]}',
    ['She said "tea", and left.'],
  ],
  ["line breaks inside of a text", '{"statements":[{"text":"She likes\ntea."}]}', ["She likes\ntea."]],
  ["comments", '{"statements":[ // what I found\n{"text":"She likes tea."} /* one */]}', ["She likes tea."]],
  [
    "an address in a text",
    '{"statements":[{"text":"It is at https://x.org/a."}]}',
    ["It is at https://x.org/a."],
  ],
  ["dots for more", '{"statements":[{"text":"She likes tea."}, ...]}', ["She likes tea."]],
  [
    "code in a text",
    '{"statements":[{"text":"She runs `f({\\"a\\": [1]})`."}]}',
    ['She runs `f({"a": [1]})`.'],
  ],
  ["cut off behind an item", '{"statements":[{"text":"She likes tea."},', ["She likes tea."]],
  ["cut off in a text", '{"statements":[{"text":"She likes tea."},{"text":"He mov', undefined],
  ["a bracket forgotten", '{"statements":[{"text":"She likes tea."}}', ["She likes tea."]],
  ["the end forgotten", '{"statements":[{"text":"She likes tea."}]', ["She likes tea."]],
  ["a bracket too many", '{"statements":[{"text":"She likes tea."}]}}]', ["She likes tea."]],
  [
    "an end of thoughts in a text",
    '{"statements":[{"text":"It ends with </think>."}]}',
    ["It ends with </think>."],
  ],
  ["escapes", '{"statements":[{"text":"\\u00e9t\\u00e9 \\"tea\\""}]}', ['été "tea"']],
  ["escapes that are none", '{"statements":[{"text":"C:\\projects\\u12"}]}', ["C:projectsu12"]],
  ["nothing found", '{"statements": []}', []],
  ["a refusal", "I'm sorry, but I can't help with that.", undefined],
  ["another form", '{"facts":[{"subject":"she"}]}', undefined],
  ["no answer", "", undefined],
  ["white space", " \n\t", undefined],
  ["null", "null", undefined],
  ["only opening brackets", "[".repeat(5000), undefined],
  ["XML", "<statements><text>She likes tea.</text></statements>", undefined],
  ["bullets", "- She likes tea.\n- He moved to Porto.", undefined],
];

/** Schemas leave out a property of this name, whoever reads the text. */
const anyJson = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes("__proto__"));

describe("readJson", () => {
  it.each(broken)("reads %s", (_name, answer, texts) => {
    expect(read(answer)).toEqual(texts);
  });

  it("leaves out a text that was cut off, where the form allows that", () => {
    const loose = z.looseObject({ statements: z.array(z.looseObject({ text: z.string().optional() })) });
    const cut = '{"statements":[{"text":"She likes tea."},{"text":"He mov';
    expect(readJson(cut, loose)).toEqual({ statements: [{ text: "She likes tea." }, {}] });
  });

  it("reads words and numbers of other languages", () => {
    const any = z.looseObject({ a: z.json() });
    expect(readJson("{a: True, b: None, c: 1.5, d: -2e3, e: NaN}", any)).toEqual({
      ...{ a: true, b: null, c: 1.5, d: -2000, e: null },
    });
  });

  it("reads any JSON as it is", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const wrapped = JSON.stringify({ value });
        const any = z.strictObject({ value: z.json() });
        expect(readJson(wrapped, any)).toEqual(JSON.parse(wrapped));
        expect(readJson(`Here: ${wrapped} !`, any)).toEqual(JSON.parse(wrapped));
      }),
      { numRuns: 300 },
    );
  });

  it("ends, and gives no more than the form allows, for any text", () => {
    const letters = fc.constantFrom(..."{}[]\"'“”‘’`:,\\/*. \n-aeu01tfnN".split(""), "true", "\\u00", "…");
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 300 }), (parts) => {
        const found = readJson<Json>(parts.join(""), z.array(z.json()));
        expect(found === undefined || Array.isArray(found)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("looks at a bounded part of a huge answer", () => {
    expect(read(`${'{"a":'.repeat(200_000)}`)).toBeUndefined();
    expect(read(`${'"x" '.repeat(200_000)}`)).toBeUndefined();
    expect(read(`${good}${" ".repeat(3_000_000)}`)).toEqual(both);
    expect(read(`{"statements":[{"text":"${"a ".repeat(200_000)}`)).toBeUndefined();
  });
});
