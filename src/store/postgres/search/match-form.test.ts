import { expect, inject, onTestFinished, test } from "vitest";
import { ask, freshSchema } from "../../../../test/postgres/database.ts";
import { alice } from "../../contract/expectations.ts";
import { keep, matchTerms, names, withSpaces } from "../../contract/indexing.ts";
import { leadingTerms } from "../../leading-terms.ts";
import { postgresLedger } from "../ledger.ts";

const url = inject("postgresUrl");

test("the rarest terms bring candidates, as far as their entries are few enough together, and others only count", async () => {
  const schema = freshSchema();
  const ledger = postgresLedger({ url, schema });
  onTestFinished(() => ledger.close());
  const indexed = await withSpaces(ledger);
  await keep(indexed, { a: { text: "rare some many most" }, b: { text: "other" } });
  // Term by term, in how many of the entries it is besides.
  const held = { some: 3000, many: 4997, most: 6000 };
  const count = 6000;
  await ask(
    url,
    `insert into "${schema}".grain ("partition", "id", "seq", "updated_seq", "recorded_at", "bytes", "session_id",
      "agent_id", "owner_kind", "owner_id", "status", "provenance", "said_at")
    select 1, 'g' || i, 100 + i, 100 + i, 1, 1, '', '', 'text', 'a', 'active', 'user_stated', 1
    from generate_series(1, ${count}) i`,
  );
  const terms = Object.entries(held).map(([term, n]) => `case when i <= ${n} then ' ${term}' else '' end`);
  await ask(
    url,
    `insert into "${schema}".entry ("partition", "space", "seq", "grain_id", "length", "terms")
    select 1, ${indexed.lexical}, 100 + i, 'g' || i, cardinality(string_to_array(t, ' ')), t
    from generate_series(1, ${count}) i, lateral (select ltrim(${terms.join(" || ")})) as t(t)`,
  );
  await ask(
    url,
    `insert into "${schema}".posting ("partition", "space", "term", "seq", "count", "length")
    select 1, "space", term, "seq", 1, "length"
    from "${schema}".entry, unnest(string_to_array("terms", ' ')) as x(term) where "seq" > 100`,
  );
  await ask(
    url,
    `update "${schema}".index_size set entries = entries + ${count}, terms = terms + ${3000 + 4997 + 6000}
    where space = ${indexed.lexical}`,
  );
  const find = async (wanted: readonly string[]) => {
    const found = await matchTerms(indexed, wanted, { user: alice, limit: 1000 });
    return {
      ...found,
      names: names(found),
      leading: leadingTerms(found.frequencies, 1000).map((i) => wanted[i]),
    };
  };
  const all = await find(["most", "rare", "many", "some"]);
  expect(all.frequencies).toEqual([6001, 1, 4998, 3001]);
  // 1 + 3,001 + 4,998 entries are 8,000.
  expect(all.leading.sort()).toEqual(["many", "rare", "some"]);
  expect(all.names[0]).toBe("a");
  expect(all.candidates[0]?.counts).toEqual([1, 1, 1, 1]);
  // The shortest of those that have a leading term: "many most", of which the newest come first.
  expect(all.names.length).toBe(1000);
  const two = await find(["most", "many"]);
  expect(two.leading).toEqual(["many"]);
  expect(two.candidates.every(({ counts }) => counts[1] === 1)).toBe(true);
  const one = await find(["most"]);
  expect([one.leading, one.names.length]).toEqual([["most"], 1000]);
  // Shorter ones come first.
  expect(one.names[0]).toBe("g6000");
  const rare = await find(["most", "rare", "nowhere"]);
  expect([rare.leading, rare.names]).toEqual([["rare", "most"], rare.names]);
});
