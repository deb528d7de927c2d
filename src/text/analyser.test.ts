import { execFile } from "node:child_process";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuTime } from "../../test/support/cpu-time.ts";
import { base32, digest } from "../model/hash.ts";
import { isStorable } from "../model/unicode.ts";
import { type AnalyserOptions, createAnalyser } from "./analyser.ts";
import { findDates } from "./time/find-dates.ts";
import { maxTermUnits, type Token } from "./token.ts";

const analyser = createAnalyser();

function terms(text: string, options: AnalyserOptions = {}): string[] {
  return createAnalyser(options)
    .analyse(text)
    .map(({ term }) => term);
}

describe("terms by script", () => {
  test.each<[string, string, string[]]>([
    ["English", "She painted the paintings, didn't she?", ["paint", "paint"]],
    ["French", "L'été à la crèche", ["et", "la", "crech"]],
    ["German", "Die Straße nach Köln", ["die", "strass", "nach", "koln"]],
    ["Spanish", "mañana iré a León", ["manana", "ir", "leon"]],
    ["Vietnamese", "Tôi thích phở", ["toi", "thich", "pho"]],
    ["Russian", "Ёлка стоит в Москве", ["елка", "стоит", "в", "москве"]],
    ["Greek", "Η Αθήνα, ΑΘΗΝΑ", ["η", "αθηνα", "αθηνα"]],
    ["Armenian", "Բարեւ Երեւան", ["բարեւ", "երեւան"]],
    ["Georgian", "მე მიყვარს თბილისი", ["მე", "მიყვარს", "თბილისი"]],
    ["Arabic", "أُحِبُّ القهوة ١٢", ["أحب", "القهوة", "12"]],
    ["Persian", "می‌خواهم بروم", ["میخواهم", "بروم"]],
    ["Hebrew", "אני גר בתל־אביב", ["אני", "גר", "בתל־אביב", "בתל", "אביב"]],
    ["Hindi", "मुझे चाय पसंद है", ["मुझे", "चाय", "पसंद", "है"]],
    ["Tamil", "எனக்கு காபி பிடிக்கும்", ["எனக்கு", "காபி", "பிடிக்கும்"]],
    ["Thai", "ฉันชอบกินข้าวผัด", ["ฉัน", "ชอบ", "กิน", "ข้าว", "ผัด"]],
    ["Lao", "ຂ້ອຍມັກກາເຟ", ["ຂ້ອຍ", "ມັກ", "ກາເຟ"]],
    ["Khmer", "ខ្ញុំចូលចិត្តកាហ្វេ", ["ខ្ញុំ", "ចូលចិត្ត", "កាហ្វេ"]],
    ["Chinese", "我爱北京大学", ["我爱", "我", "爱北", "爱", "北京", "京大", "大学"]],
    ["Japanese", "猫が好き", ["猫が", "猫", "が好", "が", "好き"]],
    ["Korean", "서울에서 만나", ["서울", "서울에서", "울에", "에서", "만나"]],
    ["Amharic", "ቡና እወዳለሁ", ["ቡና", "እወዳለሁ"]],
    ["two scripts", "我用Python写代码", ["我用", "我", "用", "python", "写代", "写", "代码"]],
    ["emoji", "great 👍🏽 👨‍👩‍👧 🇩🇪 ❤️ 1️⃣", ["great", "👍", "👨‍👩‍👧", "🇩🇪", "❤", "1⃣"]],
  ])("%s", (_, text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  test("Burmese is segmented", () => {
    expect(terms("ကျွန်တော်ထမင်းစားချင်တယ်").length).toBeGreaterThan(2);
  });
});

describe("identifiers, numbers and addresses", () => {
  test.each<[string, string[]]>([
    ["user_id", ["user_id", "user", "id"]],
    ["fluxMemory XMLParser", ["fluxmemori", "flux", "memori", "xmlparser", "xml", "parser"]],
    ["node.js C++ F# .NET", ["node.js", "node", "js", "c++", "f#", "net"]],
    ["com.example.App", ["com.example.app", "com", "exampl", "app"]],
    ["v1.2.3 2.0", ["v1.2.3", "v1", "2.0"]],
    ["1,234,567.5 and 42", ["1234567.5", "42"]],
    ["0xDEADBEEF #5", ["0xdeadbeef", "5"]],
    ["550e8400-e29b-41d4-a716-446655440000", ["550e8400-e29b-41d4-a716-446655440000"]],
    ["well-known", ["well-known", "well", "known"]],
    ["at 3:30 on 2023-05-08", ["3:30", "2023-05-08", "2023", "05", "08"]],
    ["src/text/fold.ts", ["src/text/fold.ts", "src", "text", "fold", "ts"]],
    ["Alice's parents' dogs’ o'clock", ["alic", "parent", "dog", "o'clock", "clock"]],
    ["Anna'll say l'amour didn't", ["anna", "sai", "amour"]],
    ["mail bob.smith@example.org!", ["mail", "bob.smith@example.org", "bob", "smith", "exampl", "org"]],
    ["see https://www.Example.com/a_b/?q=1.", ["see", "example.com/a_b/?q=1", "exampl", "com"]],
    ["(http://example.com/)", ["example.com", "exampl", "com"]],
  ])("%s", (text, expected) => {
    const found = terms(text);
    for (const term of expected) expect(found).toContain(term);
  });

  test("a page is the same with another scheme, www. or a final slash", () => {
    const pages = ["http://example.com/a", "https://www.example.com/a/", "www.example.com/a"];
    for (const page of pages) expect(terms(page)[0]).toBe("example.com/a");
  });
});

test("stop words go but count as positions, and a text of nothing else keeps them", () => {
  expect(analyser.analyse("the cat and the dog").map(({ term, position }) => [term, position])).toEqual([
    ["cat", 1],
    ["dog", 4],
  ]);
  expect(terms("Who are you?")).toEqual(["who", "ar", "you"]);
  expect(terms("to be or not to be", { stopWords: false })).toHaveLength(6);
});

test("the whole of a compound shares the position of its first part", () => {
  expect(analyser.analyse("my user_id here").map(({ term, position }) => [term, position])).toEqual([
    ["user_id", 1],
    ["user", 1],
    ["id", 2],
  ]);
});

test("options change the id, and their effect", () => {
  const ids = [
    {},
    { stem: false },
    { stopWords: false },
    { cjk: "words" },
    { cjk: "pairs" },
    { compounds: false },
  ] as const;
  expect(new Set(ids.map((options) => createAnalyser(options).id)).size).toBe(ids.length);
  expect(terms("北京大学", { cjk: "words" })).toEqual(["北京", "大学"]);
  expect(terms("北京大学", { cjk: "pairs" })).toEqual(["北京", "京大", "大学"]);
  expect(terms("user_id painting", { compounds: false, stem: false })).toEqual(["user", "id", "painting"]);
});

// Texts whose terms do not depend on the dictionaries of the platform's Unicode library.
const sample =
  "The quick brown foxes' user_id=42, crème brûlée at https://example.com/x?y=1! Ёлка ΑΘΗΝΑ كِتَاب 서울에서 👍🏽 C++ v1.2.3";

test("the same id means the same terms: whoever changes them raises the version", () => {
  const fingerprint = base32(digest(JSON.stringify(analyser.analyse(sample)))).slice(0, 16);
  expect([analyser.id, fingerprint]).toMatchInlineSnapshot(`
    [
      "flux-text/1;porter;stop-en;cjk-both;compounds",
      "1kdpr8mhe5v8n8yx",
    ]
  `);
});

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: "grapheme", maxLength: 100 }),
  fc
    .array(
      fc.constantFrom(
        "foo",
        "Bar",
        "a_b",
        "'",
        "’s",
        ".",
        "-",
        " ",
        "我",
        "京",
        "ガ",
        "ก",
        "한",
        "👍🏽",
        "\u200d",
        "\u0301",
        "@",
        "x.com",
        "http://",
        "\ud800",
        "\0",
        "1,000",
        "++",
        "\u202e",
        "ßẞ",
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join("")),
);

test("offsets are inside the text and in order, terms are storable, short and stable", () => {
  const isGood = ({ term, start, end, position }: Token, before: Token | undefined, text: string): boolean =>
    start >= 0 &&
    end > start &&
    end <= text.length &&
    position >= (before?.position ?? 0) &&
    /^\S+$/u.test(term) &&
    term.length <= maxTermUnits &&
    isStorable(term);
  fc.assert(
    fc.property(texts, (text) => {
      const tokens = analyser.analyse(text);
      expect(tokens.filter((token, i) => !isGood(token, tokens[i - 1], text))).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

test("text in another case or composition has the same terms", () => {
  const words = fc.array(fc.constantFrom("Café", "ΑΘΗΝΑ", "Ёлка", "Zürich", "naïve", "ガ", "한국", "Łódź"), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(words, (list) => {
      const text = list.join(" ");
      expect(terms(text.normalize("NFD"))).toEqual(terms(text));
      expect(terms(text.toLowerCase())).toEqual(terms(text));
    }),
  );
});

// A megabyte of all sorts of text is in hostile.test.ts.
test.each([
  ...[
    "a",
    "😀",
    "\ud800",
    "我",
    "a.",
    "a@",
    "http://",
    "a'",
    "/",
    "aB",
    "1,",
    "e\u0301",
    "ก",
    "\0",
    "-",
    "www.",
    "a@b.",
  ],
])("100,000 units of %j take linear time", (unit) => {
  expect(cpuTime(() => analyser.analyse(unit.repeat(Math.ceil(100_000 / unit.length))))).toBeLessThan(5000);
});

test("neither the host's zone nor its locale matter", async () => {
  const at = Date.parse("2012-01-02T05:00Z");
  const text =
    "3 days ago, last Friday at 3pm, 30 December 2011, in May, 3pm CET, May 5 - May 8, IZMIR istanbul";
  const zones = ["Pacific/Apia", "America/New_York", "UTC"];
  const program = `
    const { createAnalyser } = await import("${import.meta.dirname}/analyser.ts");
    const { findDates } = await import("${import.meta.dirname}/time/find-dates.ts");
    const [at, text, zones] = ${JSON.stringify([at, text, zones])};
    console.log(JSON.stringify([createAnalyser().analyse(text), zones.map((zone) => findDates(text, { at, zone }))]));`;
  // Turkish has another lower case, Persian other digits and another calendar.
  const hosts = [
    { TZ: "Pacific/Apia", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" },
    { TZ: "Australia/Lord_Howe", LC_ALL: "fa_IR.UTF-8", LANG: "fa_IR.UTF-8" },
  ];
  const run = promisify(execFile);
  const outputs = hosts.map(async (host) => {
    const args = ["--input-type=module", "--eval", program];
    const { stdout } = await run(process.execPath, args, { env: { ...process.env, ...host } });
    return JSON.parse(stdout);
  });
  const here = [analyser.analyse(text), zones.map((zone) => findDates(text, { at, zone }))];
  expect(await Promise.all(outputs)).toEqual([here, here]);
});
