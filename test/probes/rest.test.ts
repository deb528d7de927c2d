import { afterAll, beforeAll, describe, test } from "vitest";
import { connectFlux, type FluxClient } from "../../src/service/client/connect-flux.ts";
import { temporaryFolder } from "../support/folder.ts";
import { serveRest } from "../support/rest-service.ts";
import { allProbes } from "./all-probes.ts";
import { runProbe } from "./probe.ts";

const folder = temporaryFolder();
let rest: Awaited<ReturnType<typeof serveRest>>;
let client: FluxClient;

beforeAll(async () => {
  const config = { EMBEDDER: "static", MAX_GRAINS_PER_MINUTE: 1_000_000, MAX_GRAINS_PER_CALL: 1000 };
  rest = await serveRest(config, { place: folder.path("memory.db") });
  client = connectFlux(rest.url);
});

afterAll(async () => {
  await client.close();
  await rest[Symbol.asyncDispose]();
});

describe.each(Object.entries(allProbes))("%s", (_group, probes) => {
  test.each(probes)("$name", (probe) => runProbe(probe, { open: async (scope) => client.for(scope) }));
});
