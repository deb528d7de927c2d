import { expect, test } from "vitest";
import { restCaller } from "../../../test/support/rest-caller.ts";
import { openRest } from "../../../test/support/rest-service.ts";

test("users are apart, by header or by path", async () => {
  await using rest = await openRest();
  const { post } = restCaller(rest.app);
  const seen = async (path: string, headers = {}) =>
    (await post(path, { query: "tea" }, headers)).body.grains.map((g: { content: string }) => g.content);
  await post("/store", { content: "nobody drinks tea" });
  await post("/store", { content: "alice drinks tea" }, { "x-flux-user": "alice" });
  await post("/users/b%C3%B6b%2F%F0%9F%8E%89/store", { content: "böb drinks tea" });
  expect(await seen("/retrieve")).toEqual(["nobody drinks tea"]);
  expect(await seen("/users/alice/retrieve")).toEqual(["alice drinks tea"]);
  expect(await seen("/users/alice/retrieve", { "x-flux-user": "alice" })).toEqual(["alice drinks tea"]);
  expect(await seen("/retrieve", { "x-flux-user": encodeURIComponent("böb/🎉") })).toEqual([
    "böb drinks tea",
  ]);
  expect(await seen("/retrieve", { "x-flux-user": "alice", "x-flux-namespace": "other" })).toEqual([]);
  const two = await post("/users/alice/retrieve", { query: "tea" }, { "x-flux-user": "bob" });
  expect(two.body).toMatchObject({ status: 400, code: "invalid_user_id" });
});

test.each([
  ["x-flux-user", "", "invalid_user_id"],
  ["x-flux-user", "a, b", "invalid_argument"],
  ["x-flux-user", "%ff", "invalid_argument"],
  ["x-flux-user", "%00", "invalid_user_id"],
  ["x-flux-session", "a b", "invalid_argument"],
  ["x-flux-role", "boss", "invalid_argument"],
  ["x-caller-id", "bot:boss", "invalid_argument"],
  ["idempotency-key", "a,b", "invalid_argument"],
  ["idempotency-key", "x".repeat(513), "invalid_id"],
])("header %s: %s is %s", async (name, value, code) => {
  await using rest = await openRest();
  const { status, body } = await restCaller(rest.app).post("/store", { content: "a" }, { [name]: value });
  expect([status, body.code]).toEqual([400, code]);
});

test("an idempotency key gives a request its effect once", async () => {
  await using rest = await openRest();
  const { post, get } = restCaller(rest.app, { "idempotency-key": "op-1" });
  const first = await post("/store", { content: "Alice likes tea" });
  expect((await post("/store", { content: "Alice likes tea" })).body).toEqual(first.body);
  expect((await post("/store", { content: "Bob likes tea" })).body).toMatchObject({
    ...{ status: 409, code: "operation_conflict" },
  });
  expect((await get("/grains")).body.grains).toMatchObject([{ mentions: 0 }]);
});
