/** Whatever is sent, the answer is a result or a problem that says what is wrong, and never a failure of the service. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { openRest } from "../../../test/support/rest-service.ts";

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "\0", "\ud800", "__proto__"),
);
const names = [
  ...["content", "role", "provenance", "author", "session_id", "agent_id", "said_at", "expires_at"],
  ...[
    "importance",
    "pinned",
    "metadata",
    "tool_calls",
    "tool_call_id",
    "items",
    "query",
    "limit",
    "min_score",
  ],
  ...["max_tokens", "session_ids", "kinds", "status", "from", "until", "filter", "asked_at", "zone"],
  ...["trace_id", "grain_id", "useful", "id", "everything"],
];
const { body } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constantFrom(null, "user", "user_stated", "active", "text", "and", 1e300, -1, 0),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(text, fc.constantFrom("eq", "in", "and", "not", "exists")), tie("value"), {
      maxKeys: 3,
    }),
  ),
  body: fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 4 }),
}));
const paths = ["/store", "/store/batch", "/retrieve", "/feedback", "/feedback/batch", "/erase"];

test("bodies of any form", async () => {
  const failures: unknown[] = [];
  await using rest = await openRest({}, { onError: (error) => failures.push(error) });
  const send = async (method: string, path: string, content: string) => {
    const headers = { "content-type": "application/json" };
    const response = await rest.app.request(path, { method, headers, body: content });
    const answer = (await response.json()) as { status?: unknown };
    if (response.status !== 200) expect(answer.status).toBe(response.status);
    return response.status;
  };
  const complete = { content: "a", query: "a", items: [{ content: "a" }], trace_id: "t", grain_id: "g" };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), body, fc.boolean(), async (path, given, whole) => {
      const content = JSON.stringify(whole ? { ...complete, ...(given as object) } : given);
      expect(await send("POST", path, content)).toBeLessThan(500);
      expect(await send("PATCH", "/grains/none", content)).toBeLessThan(500);
    }),
    { numRuns: 300 },
  );
  expect(failures).toEqual([]);
});

test("paths, queries and headers of any form", async () => {
  const failures: unknown[] = [];
  await using rest = await openRest({}, { onError: (error) => failures.push(error) });
  const names = [
    "status",
    "kind",
    "session_id",
    "from",
    "until",
    "filter",
    "order",
    "limit",
    "after",
    "erase",
  ];
  const headers = ["x-flux-user", "x-flux-namespace", "x-flux-session", "x-flux-client", "x-flux-role"];
  const header = fc.oneof(fc.string(), fc.string().map(encodeURIComponent));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("/grains", "/users/a/grains", "/pending_feedback", "/health", "/grains/"),
      fc.oneof(text, fc.string().map(encodeURIComponent)),
      fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 3 }),
      fc.constantFrom(...headers, "if-match", "idempotency-key", "last-event-id"),
      header.filter((value) => /^[\x20-\x7e]*$/.test(value)),
      async (path, id, query, name, value) => {
        const url = new URL(`http://localhost${path}`);
        if (path.endsWith("/")) url.pathname += id;
        for (const [key, one] of query) url.searchParams.append(key, one);
        const response = await rest.app.request(url, { headers: { [name]: value } });
        expect(response.status).toBeLessThan(500);
      },
    ),
    { numRuns: 500 },
  );
  expect(failures).toEqual([]);
});
