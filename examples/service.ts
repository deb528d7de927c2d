/**
 * A memory that several programs share, inside of one process: who calls, what feedback is for, and what is refused. Run it with
 * `node examples/service.ts` after `npm run build`, or give it a store of your own: `node examples/service.ts ~/.flux/mine/flux.db`.
 */
import { FluxError } from "flux-memory";
import { Config, FluxService, FluxStore } from "flux-memory/service";

const store = new FluxStore(process.argv[2] ?? "inmemory");
const svc = new FluxService(store, { config: new Config() });
await svc.start();
const grainId = await svc.store("Paris is the capital of France", { provenance: "user_stated" });
const result = await svc.retrieve("French capital");
console.log(result.grains[0]?.id === grainId); // true
await svc.feedback(result.traceId, grainId, { useful: true });
await svc.stop();

// A caller is a client and a role; limits and feedback are counted for each one.
const config = new Config({
  OPERATING_MODE: "caller_extracts",
  MAX_GRAINS_PER_MINUTE: 3,
  FEEDBACK_ENFORCEMENT_GRACE_SECONDS: 0,
});
await using strict = new FluxService(store, { config });
await strict.start();
const codex = strict.for({ userId: "alice", caller: { client: "codex", role: "chat" } });
await codex.store("Alice is allergic to peanuts.", { provenance: "user_stated" });

async function attempt(what: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
    console.log(`${what}: done`);
  } catch (error) {
    if (!FluxError.isInstance(error)) throw error;
    console.log(`${what}: ${error.code} ${JSON.stringify(error.details)}`);
  }
}

const { traceId = "", hits } = await codex.recall("What may Alice not eat?");
await attempt("A recall without feedback on the one before", () => codex.recall("What does Alice like?"));
for (const { id } of hits) await codex.feedback(traceId, id, { useful: true });
await attempt("The same with feedback", () => codex.recall("What does Alice like?"));
const many = ["tea", "trains", "dogs"].map((thing) => ({ text: `Alice likes ${thing}.` }));
await attempt("More than three memories a minute", () => codex.storeBatch(many));

const { status, warnings, operatingMode } = await strict.health();
console.log(`Health: ${status}, ${warnings.length} warnings, ${operatingMode}`);
await strict.stop();
await store.close();
