/** The documentation page in a real browser: it shows what there is, without a word to anybody else. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveRest } from "../support/rest-service.ts";
import { launchBrowser, openPage } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 300_000);
afterAll(() => browser?.close());

test("GET /docs shows every path, with its style, and nothing leaves this machine", async () => {
  await using rest = await serveRest();
  await using watched = await openPage(browser);
  const { page, complaints, hosts } = watched;
  const response = await page.goto(`${rest.url}/docs`);
  expect(response?.status()).toBe(200);
  const { paths } = (await (await rest.app.request("/openapi.json")).json()) as { paths: object };
  const shown = await page.locator("summary").allInnerTexts();
  for (const [path, methods] of Object.entries(paths))
    for (const method of Object.keys(methods as object))
      expect(shown).toContainEqual(expect.stringContaining(`${method.toUpperCase()} ${path} `));

  await page.locator("details#retrieve summary").click();
  await page.locator("details#retrieve a", { hasText: "RetrieveRequest" }).click();
  expect(new URL(page.url()).hash).toBe("#schema-RetrieveRequest");
  await expect.poll(() => page.locator("#schema-RetrieveRequest").isVisible()).toBe(true);
  // The policy lets the page's own style through.
  expect(await page.evaluate("getComputedStyle(document.body).maxWidth")).toBe("960px");
  expect(complaints).toEqual([]);
  expect([...hosts]).toEqual(["127.0.0.1"]);
});

test("the policy of the page lets no script and nothing from elsewhere in", async () => {
  await using rest = await serveRest();
  await using watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${rest.url}/docs`);
  const ran = await page.evaluate(`(async () => {
    const script = document.createElement("script");
    script.textContent = "window.ran = true";
    document.body.append(script);
    const fetched = await fetch("/health").then(() => true, () => false);
    return { ran: "ran" in window, fetched };
  })()`);
  expect(ran).toEqual({ ran: false, fetched: false });
});

test("a page of another origin can neither read nor write", async () => {
  await using rest = await serveRest();
  await using other = await serveRest();
  await rest.service.for().store("a secret");
  await using watched = await openPage(browser);
  const { page } = watched;
  // Some page on another port, whose policy does not stop it.
  await page.route(`${other.url}/evil`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<p>evil" }),
  );
  await page.goto(`${other.url}/evil`);
  const outcomes = await page.evaluate(async (url) => {
    const attempt = (path: string, init?: RequestInit) =>
      fetch(`${url}${path}`, init).then(
        async (response) => `${response.type} ${await response.text()}`,
        () => "failed",
      );
    const json = { method: "POST", headers: { "content-type": "application/json" } };
    return [
      await attempt("/grains"),
      await attempt("/grains", { mode: "no-cors" }),
      await attempt("/store", { ...json, body: '{"content":"evil"}' }),
      await attempt("/store", { method: "POST", body: '{"content":"evil"}' }),
      await attempt("/store", { method: "POST", mode: "no-cors", body: '{"content":"evil"}' }),
    ];
  }, rest.url);
  for (const outcome of outcomes) expect(outcome).toMatch(/^(failed|opaque )$/);
  const { items } = await rest.service.for().list();
  expect(items.map(({ text }) => text)).toEqual(["a secret"]);
});
