import assert from "node:assert/strict";
import { found, type ProbeMemory, probe, refused } from "./probe.ts";

const day = 24 * 3_600_000;

/** Noon (UTC) of days of spring 2026; 18 May is a Monday. */
function noon(month: number, date: number): number {
  return Date.UTC(2026, month - 1, date, 12);
}

/** The text that was said nearest to the time that the query names, as the reasons for the hits have it. */
async function inTime(
  memory: ProbeMemory,
  query: string,
  options: Parameters<ProbeMemory["recall"]>[1],
): Promise<string | undefined> {
  const { hits } = await memory.recall(query, options);
  const dated = hits.flatMap(({ text, signals }) => {
    const date = signals.find(({ name }) => name === "date");
    return date === undefined ? [] : [{ text, score: date.score }];
  });
  return dated.sort((a, b) => b.score - a.score)[0]?.text;
}

/** Complaints 54 to 62: moments that were shifted, invented or not understood. */
export const dateProbes = [
  probe("#54 #57 moments are kept as they were given", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice", sessionId: "s" });
    const moments = [
      Date.parse("2026-03-29T01:30:00+08:00"),
      Date.parse("2026-10-25T02:30:00-07:00"),
      Date.parse("1969-07-20T20:17:40Z"),
      Date.parse("2100-02-28T23:59:59.999Z"),
      0,
      -1,
    ];
    for (const saidAt of moments) {
      const [said, text] = await memory.storeBatch([
        { role: "user", content: `It is ${saidAt}`, saidAt },
        { text: `It was ${saidAt}`, statedAt: saidAt },
      ]);
      for (const { id = "" } of [said ?? {}, text ?? {}])
        assert.equal((await memory.get(id))?.saidAt, saidAt);
      const { hits } = await memory.recall(String(saidAt), { where: { from: saidAt, until: saidAt + 1 } });
      assert.deepEqual(new Set(hits.map((hit) => hit.saidAt)), new Set([saidAt]));
    }
    await refused(() => memory.store("soon", { statedAt: "2026-01-01" as never }), "invalid_argument");
    await refused(() => memory.store("soon", { statedAt: Number.NaN }), "invalid_argument");
  }),

  probe("#55 what is last week follows from when it is asked, not from today", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice", sessionId: "s" });
    await memory.storeBatch(
      [noon(3, 4), noon(5, 6), noon(5, 14), noon(5, 20)].map((saidAt) => ({
        ...{ role: "user" as const, saidAt },
        content: `I went for a swim, on ${new Date(saidAt).getUTCDate()}`,
      })),
    );
    const asked = (askedAt: number) => inTime(memory, "Where did I go last week?", { askedAt });
    assert.equal(await asked(noon(5, 20)), "I went for a swim, on 14");
    assert.equal(await asked(noon(5, 13)), "I went for a swim, on 6");
    assert.equal(await asked(noon(3, 12)), "I went for a swim, on 4");
  }),

  probe("#56 #58 zones are offsets or IANA names, and another one is refused", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice" });
    await memory.store("I moved to Porto", { statedAt: noon(5, 1) });
    const zones = ["UTC", "+02:00", "-07:00", "+05:45", "Asia/Kathmandu", "America/Argentina/Buenos_Aires"];
    for (const zone of [...zones, "Australia/Lord_Howe", "Etc/GMT+12"]) {
      const texts = await found(memory, "Where did I move last month?", { askedAt: noon(6, 1), zone });
      assert.deepEqual(texts, ["I moved to Porto"], zone);
    }
    for (const zone of ["Mars/Phobos", "", "+99:99", "'; drop table text", "\0"])
      await refused(() => memory.recall("yesterday", { zone }), "invalid_argument");
  }),

  probe("#57 yesterday is that of the place where it is asked", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice", sessionId: "s" });
    const said = (iso: string, content: string) => ({
      ...{ role: "user" as const, content },
      saidAt: Date.parse(iso),
    });
    // In Shanghai it is 11 May, 04:00; in London still the 10th.
    const askedAt = Date.parse("2026-05-10T20:00:00Z");
    await memory.storeBatch([
      said("2026-05-09T10:00:00Z", "I bought a lamp"),
      said("2026-05-10T10:00:00Z", "I bought a chair"),
    ]);
    const first = (zone: string) => inTime(memory, "What did I buy yesterday?", { askedAt, zone });
    assert.equal(await first("Asia/Shanghai"), "I bought a chair");
    assert.equal(await first("+08:00"), "I bought a chair");
    assert.equal(await first("UTC"), "I bought a lamp");
  }),

  probe("#59 what gives no time is said when it is stored", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice", sessionId: "s" });
    const results = await memory.storeBatch([{ role: "user", content: "Hello there" }, { text: "A note" }]);
    for (const { id } of results) {
      const { saidAt = 0, recordedAt = day } = (await memory.get(id)) ?? {};
      assert.ok(Math.abs(saidAt - recordedAt) < 60_000);
    }
  }),

  probe("#60 #61 a text gets no moment but its own", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice" });
    const text = "The party is on 25 May 2023, or maybe 7 May";
    const { id } = await memory.store(text, { statedAt: noon(4, 2) });
    const { text: kept, saidAt } = (await memory.get(id)) ?? {};
    assert.deepEqual([kept, saidAt], [text, noon(4, 2)]);
  }),

  probe(
    "#62 phrases such as last month and two weeks ago are times to search in",
    async (face, namespace) => {
      const memory = await face.open({ namespace, userId: "alice", sessionId: "s" });
      await memory.storeBatch(
        [noon(2, 10), noon(4, 15), noon(5, 6), noon(5, 19)].map((saidAt) => ({
          ...{ role: "user" as const, saidAt },
          content: `I read a book, number ${new Date(saidAt).getUTCMonth() + 1}.${new Date(saidAt).getUTCDate()}`,
        })),
      );
      const first = (query: string) => inTime(memory, query, { askedAt: noon(5, 20) });
      assert.equal(await first("Which book did I read last month?"), "I read a book, number 4.15");
      assert.equal(await first("Which book did I read two weeks ago?"), "I read a book, number 5.6");
      assert.equal(await first("Which book did I read yesterday?"), "I read a book, number 5.19");
      assert.equal(await first("Which book did I read in February?"), "I read a book, number 2.10");
    },
  ),
];
