import { expect, test } from "vitest";
import { restCaller } from "../../../../test/support/rest-caller.ts";
import { openRest } from "../../../../test/support/rest-service.ts";

test("a change that depends on a version is refused when there is a newer one", async () => {
  await using rest = await openRest();
  const { call, post } = restCaller(rest.app);
  const path = `/grains/${(await post("/store", { content: "Alice likes tea" })).body.record_id}`;
  const { headers } = await call("GET", path);
  const etag = headers.get("etag") as string;
  expect((await call("PATCH", path, { pinned: true }, { "if-match": etag })).status).toBe(200);
  const late = await call("PATCH", path, { pinned: false }, { "if-match": etag });
  expect(late.body).toMatchObject({
    status: 412,
    code: "conflict",
    details: { version: expect.any(Number) },
  });
  expect((await call("PATCH", path, { pinned: false }, { "if-match": "*" })).status).toBe(200);
  for (const value of ["12", 'W/"12"', '"x"', '"1", "2"'])
    expect((await call("PATCH", path, { pinned: true }, { "if-match": value })).status).toBe(400);
  expect((await call("DELETE", path, undefined, { "if-match": etag })).status).toBe(400);
});

test("pages lead to each other, by cursor and by Link", async () => {
  await using rest = await openRest();
  const { post } = restCaller(rest.app);
  const contents = Array.from({ length: 7 }, (_, i) => `note ${i}`);
  await post("/users/al%20ice/store/batch", {
    items: contents.map((content, i) => ({ content, metadata: { odd: i % 2 === 1 } })),
  });
  const seen: string[] = [];
  let path: string | undefined =
    `/users/al%20ice/grains?limit=2&order=oldest&filter=${encodeURIComponent('{"odd":false}')}`;
  for (; path !== undefined; ) {
    const { body, headers } = await restCaller(rest.app).get(path);
    seen.push(...body.grains.map(({ content }: { content: string }) => content));
    const link: string | undefined = /^<([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
    expect(link === undefined).toBe(body.cursor === undefined);
    path = link;
  }
  expect(seen).toEqual(["note 0", "note 2", "note 4", "note 6"]);
});

test.each([
  "/grains?limit=-1",
  "/grains?limit=0",
  "/grains?limit=1001",
  "/grains?limit=1e2",
  "/grains?limit=",
  "/grains?limit=2&limit=3",
  "/grains?status=lost",
  "/grains?statuss=active",
  "/grains?filter=x",
  "/grains?filter=[]",
  "/grains?after=nonsense",
  "/pending_feedback?limit=0",
])("GET %s is refused", async (path) => {
  await using rest = await openRest();
  expect((await restCaller(rest.app).get(path)).status).toBe(400);
});
