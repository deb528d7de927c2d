/** flux-memory/client in a real browser, on a page of the service's own origin. */
import { join } from "node:path";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveRest } from "../support/rest-service.ts";
import { launchBrowser, openPage } from "./browser.ts";

let browser: Browser;
let client: string;
beforeAll(async () => {
  browser = await launchBrowser();
  const { outputFiles } = await build({
    ...{ entryPoints: [join(import.meta.dirname, "../../src/client.ts")], bundle: true, write: false },
    ...{ platform: "browser", format: "iife", globalName: "flux" },
  });
  client = outputFiles[0]?.text ?? "";
}, 300_000);
afterAll(() => browser?.close());

/** A page of the origin of a service, which has loaded the client. */
async function openApp(page: Page, url: string): Promise<void> {
  await page.route(`${url}/app`, (route) =>
    route.fulfill({ contentType: "text/html", body: '<link rel="icon" href="data:,">' }),
  );
  await page.goto(`${url}/app`);
  await page.addScriptTag({ content: client });
}

test("a page stores, recalls, exports and imports", async () => {
  await using rest = await serveRest();
  await using watched = await openPage(browser);
  const { page, complaints, hosts } = watched;
  await openApp(page, rest.url);
  const outcome = await page.evaluate(`(async () => {
    const client = flux.connectFlux(location.origin, { client: "page" });
    const memory = client.for({ userId: "böb 🎉" });
    await memory.store("Bob likes coffee", { provenance: "user_stated" });
    const all = [];
    for await (const line of memory.export()) all.push(line);
    const other = client.for({ userId: "other" });
    const report = await other.import(all);
    const { id } = await memory.store("Bob likes tea", { metadata: { camelCase: true } });
    const { hits } = await memory.recall("tea");
    const error = await memory.get(5).catch((thrown) => thrown);
    await client.close();
    return {
      report,
      texts: hits.map((hit) => hit.text),
      same: hits[0].owner.id === id,
      error: [error instanceof TypeError, error.code],
    };
  })()`);
  expect(outcome).toEqual({
    ...{
      report: { stored: 1, mentioned: 0, expired: 0, conflicts: 0 },
      texts: ["Bob likes tea"],
      same: true,
    },
    error: [true, "invalid_id"],
  });
  expect((await rest.service.for({ userId: "böb 🎉" }).list()).items).toHaveLength(2);
  // Chromium at times says so of a stream that was read to its end.
  expect(complaints.filter((one) => !one.endsWith("/export net::ERR_ABORTED"))).toEqual([]);
  expect([...hosts]).toEqual(["127.0.0.1"]);
});

test("a page follows what changes", async () => {
  await using rest = await serveRest();
  const memory = rest.service.for({ userId: "u" });
  await using watched = await openPage(browser);
  const { page } = watched;
  await openApp(page, rest.url);
  const connected = page.waitForResponse(`${rest.url}/events`);
  const heard = page.evaluate(`(async () => {
    const client = flux.connectFlux(location.origin);
    for await (const event of client.for({ userId: "u" }).events()) {
      client.close();
      return event;
    }
  })()`);
  await connected;
  const { id } = await memory.store("Alice likes tea");
  expect(await heard).toMatchObject({ kind: "text", id, operation: "insert" });
});
