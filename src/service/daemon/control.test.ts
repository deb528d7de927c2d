import { expect, test } from "vitest";
import { controlRoutes } from "./control.ts";

const nonce = "0123456789abcdef".repeat(4);

function control() {
  let stops = 0;
  const routes = controlRoutes({ nonce, stop: () => stops++ });
  const host = { host: "localhost" };
  return {
    ask: (path: string, method = "GET", headers: Record<string, string> = {}) =>
      routes.request(path, { method, headers: { ...host, ...headers } }),
    stops: () => stops,
  };
}

test("shows that it knows the nonce without giving it away", async () => {
  const { ask } = control();
  const response = await ask("/daemon");
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(JSON.parse(text)).toEqual({ identity: expect.stringMatching(/^[0-9a-f]{64}$/), pid: process.pid });
  expect(text).not.toContain(nonce);
});

test("ends the daemon for whoever knows the nonce", async () => {
  const { ask, stops } = control();
  expect((await ask("/daemon/stop", "POST", { authorization: `Bearer ${nonce}` })).status).toBe(202);
  expect(stops()).toBe(1);
});

test.each([{}, { authorization: "" }, { authorization: nonce }, { authorization: `Bearer ${nonce}0` }])(
  "and for nobody else: %j",
  async (headers) => {
    const { ask, stops } = control();
    const response = await ask("/daemon/stop", "POST", headers as Record<string, string>);
    expect([response.status, stops()]).toEqual([401, 0]);
  },
);

test("web pages can neither ask nor end it", async () => {
  const { ask, stops } = control();
  const authorization = `Bearer ${nonce}`;
  expect((await ask("/daemon", "GET", { host: "evil.example" })).status).toBe(421);
  expect((await ask("/daemon/stop", "POST", { authorization, origin: "https://evil.example" })).status).toBe(
    403,
  );
  expect((await ask("/daemon/stop", "GET", { authorization })).status).toBe(404);
  expect(stops()).toBe(0);
});
