import { expect, test } from "vitest";
import { hostileTexts } from "../../../test/support/hostile-texts.ts";
import { restCaller } from "../../../test/support/rest-caller.ts";
import { openRest } from "../../../test/support/rest-service.ts";
import { repairText } from "../../model/unicode.ts";
import { health, onboarding, serviceStatus } from "../wire/service.ts";
import { createApp } from "./app.ts";

test("a text is stored, found, changed, archived and brought back", async () => {
  await using rest = await openRest();
  const { call, get, post } = restCaller(rest.app);
  const { body: stored } = await post("/store", {
    content: "Alice is allergic to nuts",
    ...{ provenance: "user_stated", author: "Alice", said_at: 5, importance: 0.9, pinned: true },
    ...{ session_id: "s", agent_id: "a", metadata: { topic: "food", tags: ["x"] } },
  });
  expect(stored).toEqual({
    grain_id: stored.grain_ids[0],
    ...{ record_id: expect.any(String), grain_ids: [expect.any(String)] },
    ...{ kind: "text", status: "stored", indexed: "now" },
  });

  const { body: found } = await post("/retrieve", {
    query: "nuts",
    filter: { topic: "food", tags: { contains: "x" } },
  });
  expect(found).toMatchObject({ trace_id: expect.any(String), confidence: expect.any(Number), degraded: [] });
  expect(found.grains).toHaveLength(1);
  expect(found.grains[0]).toMatchObject({
    ...{ id: stored.grain_id, record_id: stored.record_id, kind: "text", said_at: 5 },
    ...{ content: "Alice is allergic to nuts", author: "Alice", provenance: "user_stated" },
    ...{ session_id: "s", agent_id: "a", metadata: { topic: "food", tags: ["x"] } },
    signals: expect.arrayContaining([{ name: "words", score: expect.any(Number) }]),
  });

  const path = `/grains/${stored.record_id}`;
  const got = await get(path);
  expect(got.body).toMatchObject({ id: stored.record_id, content: "Alice is allergic to nuts", mentions: 0 });
  expect(got.headers.get("etag")).toBe(`"${got.body.version}"`);
  const changed = await call("PATCH", path, { importance: null, metadata: { topic: "health" } });
  expect(changed.body).toMatchObject({ metadata: { topic: "health" }, pinned: true });
  expect(changed.body).not.toHaveProperty("importance");
  expect(changed.body.version).toBeGreaterThan(got.body.version);
  expect((await post(`${path}/archive`)).body).toMatchObject({ status: "archived" });
  expect((await get("/grains?status=archived")).body.grains).toHaveLength(1);
});

test("messages have a role; what belongs to the other kind is refused", async () => {
  await using rest = await openRest();
  const { post, get } = restCaller(rest.app);
  const message = { role: "assistant", content: "Calling.", session_id: "s", author: "Bot" };
  const { body } = await post("/store", { ...message, tool_calls: [{ someName: 1 }], tool_call_id: "c" });
  expect(body).toMatchObject({ kind: "message" });
  expect((await get(`/grains/${body.record_id}`)).body).toMatchObject({ role: "assistant", author: "Bot" });
  const wrong = await post("/store", { ...message, provenance: "user_stated" });
  expect(wrong.body).toMatchObject({ status: 400, detail: expect.stringContaining("provenance") });
  expect((await post("/store", { content: "a", tool_call_id: "c" })).status).toBe(400);
});

test("a batch is stored as a whole or not at all, and tells of each item", async () => {
  await using rest = await openRest();
  const { post, get } = restCaller(rest.app);
  const good = { content: "Bob likes tea" };
  const bad = await post("/store/batch", { items: [good, { content: "x", metadata: { a: { b: 1 } } }] });
  expect(bad.body).toMatchObject({ status: 400, code: "invalid_metadata" });
  expect((await get("/grains")).body).toEqual({ grains: [] });
  const { body } = await post("/store/batch", { items: [good, { content: "Bob lives in Oslo" }, good] });
  expect(body.items.map(({ status }: { status: string }) => status)).toEqual([
    ...["stored", "stored", "mentioned"],
  ]);
  expect((await get(`/grains/${body.items[0].record_id}`)).body).toMatchObject({
    provenance: "ai_stated",
    mentions: 1,
  });
});

test("feedback is bound to trace, grain and caller; what is not known is 404", async () => {
  await using rest = await openRest();
  const { post } = restCaller(rest.app, { "x-flux-client": "one", "x-flux-role": "chat" });
  const { body: stored } = await post("/store", { content: "Alice likes tea" });
  const { body: found } = await post("/retrieve", { query: "tea" });
  const feedback = { trace_id: found.trace_id, grain_id: stored.grain_id, useful: true };
  expect((await post("/feedback", feedback)).body).toEqual({ ...feedback, status: "recorded" });
  expect((await post("/feedback", feedback)).body).toMatchObject({ status: "unchanged" });
  const { body } = await post("/feedback/batch", { items: [{ ...feedback, useful: false }] });
  expect(body).toEqual({ items: [{ ...feedback, useful: false, status: "changed" }] });
  expect((await post("/feedback", { ...feedback, grain_id: "g" })).status).toBe(404);
  expect((await post("/feedback", { ...feedback, trace_id: "t" })).status).toBe(404);
  expect((await post("/feedback", feedback, { "x-flux-client": "two" })).status).toBe(403);
});

test("a caller that owes feedback is told so by a status of its own, with what it owes", async () => {
  await using rest = await openRest({
    FEEDBACK_ENFORCEMENT_ENABLED: true,
    FEEDBACK_ENFORCEMENT_GRACE_SECONDS: 0,
  });
  const { get, post } = restCaller(rest.app, { "x-caller-id": "bot:chat" });
  const { body: stored } = await post("/store", { content: "Alice likes tea" });
  const { body: found } = await post("/retrieve", { query: "tea" });
  const refused = await post("/retrieve", { query: "tea" });
  expect(refused.headers.get("content-type")).toBe("application/problem+json");
  expect(refused.body).toMatchObject({
    ...{ status: 428, code: "feedback_required", hint: expect.any(String) },
    details: { pending: [{ trace_id: found.trace_id, grain_ids: [stored.grain_id] }] },
  });
  const owed = await get("/pending_feedback");
  expect(owed.body.pending_traces).toMatchObject([{ trace_id: found.trace_id, hits: 1, query: "tea" }]);
  await post("/feedback", { trace_id: found.trace_id, grain_id: stored.grain_id, useful: true });
  expect((await post("/retrieve", { query: "tea" })).status).toBe(200);
  expect((await get("/pending_feedback?limit=1")).body.pending_traces).toHaveLength(1);
});

test("a caller over its rate is told when to come back", async () => {
  await using rest = await openRest({ MAX_GRAINS_PER_MINUTE: 2 });
  const { post } = restCaller(rest.app);
  await post("/store/batch", { items: [{ content: "one" }, { content: "two" }] });
  const refused = await post("/store", { content: "three" });
  expect(refused.body).toMatchObject({ status: 429, code: "rate_limited", retryable: true });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(refused.body.details.retry_after).toBeGreaterThan(0);
});

test.each([
  ["/store", { content: 5 }],
  ["/store", {}],
  ["/store", { content: "a", colour: "red" }],
  ["/store", '{"content":"a","__proto__":{"x":1}}'],
  ["/store", { content: "a", metadata: [] }],
  ["/store", { content: "a", importance: 2 }],
  ["/store", { content: "a", said_at: 1.5 }],
  ["/store", { content: "a", provenance: "hearsay" }],
  ["/store", "[]"],
  ["/store", "null"],
  ["/store", ""],
  ["/store", '{"content":"a"'],
  ["/store/batch", { items: "a" }],
  ["/store/batch", { items: Array(1001).fill({ content: "a" }) }],
  ["/retrieve", { query: "a", limit: 0 }],
  ["/retrieve", { query: "a", filter: { a: { near: 1 } } }],
  ["/feedback", { trace_id: "t", grain_id: "g", useful: "yes" }],
  ["/erase", {}],
  ["/erase", { everything: true, id: "a" }],
  ["/erase", { everything: false }],
])("POST %s %j is refused, and says what is wrong", async (path, body) => {
  await using rest = await openRest();
  const answer = await restCaller(rest.app).post(path, body);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.body).toMatchObject({ status: 400, title: expect.any(String), detail: expect.any(String) });
});

test("a problem names places and repeats no values", async () => {
  await using rest = await openRest();
  const { body } = await restCaller(rest.app).post("/store/batch", {
    items: [{ content: "a" }, { content: 5, provenance: "a secret" }],
  });
  expect(body).toMatchObject({ code: "invalid_argument", name: "FluxTypeError" });
  expect(body.details.issues.map(({ path }: { path: string }) => path)).toEqual([
    ...["items.1.content", "items.1.provenance"],
  ]);
  expect(JSON.stringify(body)).not.toContain("secret");
});

test.each(hostileTexts)("text %# is kept as it is, or with its faults repaired", async (content) => {
  await using rest = await openRest();
  const { post, get } = restCaller(rest.app);
  const { status, body } = await post("/store", { content });
  if (content.trim() === "") return expect(status).toBe(400);
  expect(status).toBe(200);
  const found = (await get(`/grains/${body.record_id}`)).body;
  expect(found.content).toBe(repairText(content));
  expect((await post("/retrieve", { query: content })).status).toBe(200);
});

test("what is not there is 404, and what is there by another method 405", async () => {
  await using rest = await openRest();
  const { call, get } = restCaller(rest.app);
  expect((await get("/grains/none")).body).toMatchObject({ status: 404, code: "not_found" });
  expect((await call("PATCH", "/grains/none", { pinned: true })).status).toBe(404);
  expect((await call("POST", "/grains/none/archive", {})).status).toBe(404);
  expect((await get("/nothing")).body).toMatchObject({ status: 404, code: "not_found" });
  expect((await get("/users/alice")).status).toBe(404);
  expect((await get("/static/../../etc/passwd")).status).toBe(404);
  const put = await call("PUT", "/grains/none", {});
  expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, PATCH, DELETE"]);
  expect((await get("/store")).headers.get("allow")).toBe("POST");
});

test("every answer keeps browsers from keeping, framing and guessing", async () => {
  await using rest = await openRest();
  const { get } = restCaller(rest.app);
  for (const path of ["/grains", "/nothing", "/grains?limit=x", "/openapi.json"]) {
    const { headers } = await get(path);
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ "cache-control": "no-store", "x-content-type-options": "nosniff", "x-frame-options": "DENY" },
      "content-security-policy": expect.stringContaining("default-src 'none'"),
      "cross-origin-resource-policy": "same-origin",
    });
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

test("a stopped service says so", async () => {
  await using rest = await openRest();
  await rest.service.stop();
  const { post } = restCaller(rest.app);
  expect((await post("/store", { content: "a" })).body).toMatchObject({ status: 503, code: "closed" });
});

test("of an unknown error nothing is told but to whoever runs the service", async () => {
  const told: unknown[] = [];
  await using rest = await openRest({}, { onError: (error) => told.push(error) });
  const error = new Error("SELECT secret FROM text");
  rest.service.for = () => {
    throw error;
  };
  const { body } = await restCaller(rest.app).post("/store", { content: "a" });
  expect(body).toMatchObject({ status: 500, code: "internal_error", retryable: false });
  expect(JSON.stringify(body)).not.toContain("secret");
  expect(told).toEqual([error]);
});

test("a call that takes too long ends with a time-out", async () => {
  await using rest = await openRest({}, { requestTimeout: 1 });
  const { for: open } = rest.service;
  rest.service.for = (scope) => {
    const memory = open.call(rest.service, scope);
    memory.list = ({ signal } = {}) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    return memory;
  };
  expect((await restCaller(rest.app).get("/grains")).body).toMatchObject({
    ...{ status: 504, code: "timeout", retryable: true },
  });
});

test.each([{ port: 5 }, { requestTimeout: 0 }, { bodyTimeout: "1s" }, { keepAlive: 1e10 }, { onError: 5 }])(
  "an app is not made with %j",
  async (options) => {
    await using rest = await openRest();
    const refused = expect.objectContaining({ code: "invalid_argument" });
    expect(() => createApp(rest.service, options as never)).toThrow(refused);
  },
);

test("onboarding and status are told in the names of the wire", async () => {
  await using rest = await openRest();
  const { get } = restCaller(rest.app);
  expect((await get("/onboard")).body).toMatchObject({
    ...{ operating_mode: "caller_extracts", instructions: expect.any(String), tools: expect.any(Array) },
  });
  expect((await get("/status")).body).toMatchObject({
    ...{ status: "healthy", config: { OPERATING_MODE: "caller_extracts" } },
    memory: { store: { schema_version: expect.any(Number) } },
  });
});

test("answers about the service have nothing that their schemas leave out", async () => {
  await using rest = await openRest({ OPERATING_MODE: "flux_extracts", LLM_BASE_URL: "http://127.0.0.1:9" });
  const { get } = restCaller(rest.app);
  const { body } = await get("/onboard");
  expect(body).toHaveProperty("model");
  for (const [path, { shape }] of [
    ["/onboard", onboarding],
    ["/health", health],
    ["/status", serviceStatus],
  ] as const)
    expect(Object.keys(shape)).toEqual(expect.arrayContaining(Object.keys((await get(path)).body)));
});
