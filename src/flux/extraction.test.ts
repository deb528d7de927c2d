import { describe, expect, it } from "vitest";
import { OpenAIServer } from "../../test/servers/openai-server.ts";
import { anna, openWithModel, pendingIn, statementsIn, workOnce } from "../../test/support/extraction.ts";
import { ScriptedModel } from "../../test/support/scripted-model.ts";
import type { ModelUsage, PlannedCall } from "../language/model.ts";
import { FluxError } from "../model/errors.ts";
import { ManualClock } from "../store/contract/manual-clock.ts";
import { find, get } from "../store/read.ts";
import { Flux } from "./flux.ts";

describe("a model that fails", () => {
  it.each([
    ["prose", "I cannot help with that."],
    ["nothing", ""],
    ["another form", '{"facts": [{"subject": "tea"}]}'],
  ])("is asked again later, given up after three times, and holds nothing up: %s", async (_name, answer) => {
    const clock = new ManualClock();
    const model = new ScriptedModel(([text]) =>
      /tea/.test(text?.text ?? "") ? answer : ["The user likes figs."],
    );
    const { flux, memory, ledger } = await openWithModel(model, { clock });
    await memory.store("I like tea.");
    await memory.store("I like figs, too.");
    const errors: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      errors.push(...(await workOnce(flux)));
      clock.advance(60_000);
    }
    expect(errors).toHaveLength(3);
    expect(errors[0]).toMatchObject({ code: "model_failed" });
    expect(await statementsIn(ledger)).toEqual(["The user likes figs."]);
    const { extraction } = await flux.status();
    expect(extraction).toMatchObject({
      ...{ mode: "flux_extracts", model: "scripted/test", available: true },
      pending: { jobs: 0, dead: 1, errors: ["model_failed"] },
    });
    expect((await memory.recall("tea")).hits).toHaveLength(1);
  });

  it("is asked once more for what it refuses, without other texts", async () => {
    const refusing = {
      ...{ specificationVersion: "v2", provider: "p", modelId: "m" },
      doGenerate: async () => ({ content: [], finishReason: "content-filter" }),
    };
    const clock = new ManualClock();
    const { flux, memory } = await openWithModel(refusing, { clock });
    await memory.store("I like tea.");
    expect(await workOnce(flux)).toMatchObject([{ code: "model_failed", retryable: false }]);
    clock.advance(60_000);
    expect(await workOnce(flux)).toHaveLength(1);
    clock.advance(60_000);
    expect(await workOnce(flux)).toEqual([]);
    expect((await flux.status()).extraction.pending).toMatchObject({ jobs: 0, dead: 1 });
  });

  it("is waited for as long as it asks", async () => {
    const clock = new ManualClock();
    await using server = await OpenAIServer.start(
      { status: 429, body: "{}", headers: { "retry-after": "120" } },
      { content: '{"statements":[{"text":"The user likes tea.","from":1}]}' },
    );
    const { flux, memory, ledger } = await openWithModel(
      { model: "llama3.1:8b", baseURL: server.url },
      { clock },
    );
    await memory.store("I like tea.");
    expect(await workOnce(flux)).toMatchObject([{ code: "rate_limited" }]);
    clock.advance(100_000);
    expect(await workOnce(flux)).toEqual([]);
    expect(await statementsIn(ledger)).toEqual([]);
    clock.advance(21_000);
    expect(await workOnce(flux)).toEqual([]);
    expect(await statementsIn(ledger)).toEqual(["The user likes tea."]);
  });

  it("holds up no write", async () => {
    await using server = await OpenAIServer.start({ hang: true });
    const { flux, memory } = await openWithModel({ model: "llama3.1:8b", baseURL: server.url });
    await memory.store("I like tea.");
    const asked = new Promise<void>((resolve) => {
      server.reply = () => {
        resolve();
        return { hang: true };
      };
    });
    const working = flux.work({ once: true });
    await asked;
    await memory.store("I like figs.");
    expect((await memory.recall("figs")).hits.length).toBeGreaterThan(0);
    await flux.close();
    await working;
  });

  it("that is not there is said with the result and in the status, until it is back", async () => {
    const clock = new ManualClock();
    await using server = await OpenAIServer.start({
      content: '{"statements":[{"text":"The user likes plums.","from":1}]}',
    });
    server.failing = 503;
    const { flux, memory, ledger } = await openWithModel(
      { model: "llama3.1:8b", baseURL: server.url },
      { clock },
    );
    await expect.poll(async () => (await flux.status()).extraction.available).toBe(false);
    const stored = await memory.store("I like tea.", { operation: "tea" });
    expect(stored.degraded).toMatchObject([
      { code: "extractor_unavailable", cause: { code: "unavailable" } },
    ]);
    expect(await pendingIn(ledger)).toBe(0);
    expect((await flux.status()).degraded).toMatchObject([{ code: "extractor_unavailable" }]);
    expect((await memory.recall("tea")).hits).toHaveLength(1);
    // Small talk and what was said before have nothing to be derived from.
    expect(await memory.store("ok, thanks")).not.toHaveProperty("degraded");
    expect(await memory.store("I like tea.")).not.toHaveProperty("degraded");

    server.failing = undefined;
    clock.advance(20_000);
    await memory.store("I like pears.");
    await expect.poll(async () => (await flux.status()).extraction.available).toBe(true);
    expect(await memory.store("I like plums.")).not.toHaveProperty("degraded");
    await workOnce(flux);
    expect(await statementsIn(ledger)).toEqual(["The user likes plums."]);
    // The retry of a call says what the call said.
    expect((await memory.store("I like tea.", { operation: "tea" })).degraded).toMatchObject([
      { code: "extractor_unavailable" },
    ]);
  });

  it("that is of a package that is not installed is said in the status", async () => {
    const { flux } = await openWithModel("nobody-has-this/model");
    await expect
      .poll(async () => (await flux.status()).extraction)
      .toMatchObject({
        available: false,
        cause: { code: "missing_package", hint: "npm install @ai-sdk/nobody-has-this" },
      });
  });

  it("whose state was found out by a job is asked for jobs again after a minute", async () => {
    const clock = new ManualClock();
    const model = new ScriptedModel(() => {
      throw new FluxError("unavailable", "gone", { retryable: true });
    });
    const { flux, memory, ledger } = await openWithModel(model, { clock });
    expect((await flux.status()).extraction).not.toHaveProperty("available");
    await memory.store("I like tea.");
    await workOnce(flux);
    expect((await memory.store("I like figs.")).degraded).toHaveLength(1);
    clock.advance(61_000);
    expect(await memory.store("I like plums.")).not.toHaveProperty("degraded");
    expect(await pendingIn(ledger)).toBe(2);
    // And two by which rules read what was stored since then.
    expect((await flux.status()).extraction.pending.jobs).toBe(4);
  });
});

describe("a budget", () => {
  it("that refuses postpones the job, and the status says so until it allows a call", async () => {
    const clock = new ManualClock();
    const model = new ScriptedModel(() => ["The user likes tea."]);
    let allowed = false;
    const calls: PlannedCall[] = [];
    const used: ModelUsage[] = [];
    const budget = (call: PlannedCall) => {
      calls.push(call);
      return allowed;
    };
    const languageModel = { model, budget, onUsage: (usage: ModelUsage) => used.push(usage) };
    const { flux, memory, ledger } = await openWithModel(languageModel, { clock });
    await memory.store("I like tea.");
    expect(await workOnce(flux)).toMatchObject([{ code: "rate_limited", details: { budget: true } }]);
    expect(model.calls).toEqual([]);
    expect(calls).toMatchObject([{ model: "scripted/test", maxOutputTokens: expect.any(Number) }]);
    expect(calls[0]?.inputUnits).toBeGreaterThan(1000);
    // It is there all the same: what is stored goes on to leave jobs.
    expect(await memory.store("My dog is called Rex.")).not.toHaveProperty("degraded");
    const { extraction } = await flux.status();
    expect(extraction).toMatchObject({
      overBudget: true,
      // One of them by rules.
      pending: { jobs: 3, dead: 0, errors: ["rate_limited"] },
    });
    clock.advance(3_500_000);
    await workOnce(flux);
    expect(calls).toHaveLength(1);
    allowed = true;
    clock.advance(200_000);
    await workOnce(flux);
    expect(await statementsIn(ledger)).toEqual(["The user likes tea."]);
    expect(used).toEqual([{ model: "scripted/test" }, { model: "scripted/test" }]);
    expect((await flux.status()).extraction).not.toHaveProperty("overBudget");
  });
});

describe("without a language model", () => {
  it.each([undefined, false] as const)("callers extract, with %s", async (languageModel) => {
    const { flux, memory, ledger } = await openWithModel(languageModel);
    expect(await memory.store("I like tea.")).not.toHaveProperty("degraded");
    expect(await pendingIn(ledger)).toBe(0);
    expect((await flux.status()).extraction).toEqual({
      mode: "caller_extracts",
      pending: { jobs: 0, dead: 0 },
    });
  });

  it("leaves the jobs of others to them", async () => {
    const { memory, ledger } = await openWithModel(new ScriptedModel());
    await memory.store("I like tea.");
    const other = await openWithModel(undefined, { ledger });
    await workOnce(other.flux);
    expect((await other.flux.status()).extraction).toMatchObject({
      mode: "caller_extracts",
      pending: { jobs: 1 },
    });
  });

  it.each([5, "", "a b", {}, { model: "m", timeout: 0 }])("refuses %j as a model", async (languageModel) => {
    await expect(Flux.open("inmemory", { languageModel: languageModel as never })).rejects.toMatchObject({
      code: "invalid_argument",
    });
  });
});

it("a worker that runs derives what is stored while it runs", async () => {
  const { flux, memory, ledger } = await openWithModel(new ScriptedModel(() => ["The user likes tea."]));
  const stop = new AbortController();
  const working = flux.work({ signal: stop.signal });
  await memory.store("I like tea.");
  await expect.poll(() => statementsIn(ledger)).toEqual(["The user likes tea."]);
  stop.abort();
  await working;
  const [page] = await ledger.read([anna], [find("grain", {})]);
  const owners = await ledger.read(
    [anna],
    page.items.map(({ ownerKind, ownerId }) => get(ownerKind, ownerId)),
  );
  expect(owners.every((owner) => owner !== undefined)).toBe(true);
});
