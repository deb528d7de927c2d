import { type Browser, chromium, type Page } from "playwright-core";
import { debianProgram } from "../servers/debian-program.ts";

/** Milliseconds for whatever the browser does, on a machine that is busy. */
const patience = 120_000;

/** A browser with a new, temporary profile, which speaks to nobody by itself. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    timeout: patience,
    executablePath: await debianProgram("chromium"),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** What the console said, errors, and requests that failed. */
  readonly complaints: string[];
  /** Whom it asked. */
  readonly hosts: Set<string>;
}

export async function openPage(browser: Browser): Promise<WatchedPage> {
  const context = await browser.newContext();
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfailed", (request) =>
    complaints.push(`failed: ${request.url()} ${request.failure()?.errorText}`),
  );
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== "data:") hosts.add(hostname);
  });
  return { page, complaints, hosts, [Symbol.asyncDispose]: () => context.close() };
}
