/**
 * What `npm start` shows, after it has installed and built: an instance named demo, whose service is given an example
 * conversation and asked about it. Run again, it makes nothing twice and keeps what was stored since.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FluxCommand, FluxCommandError } from "./flux-command.ts";
import { importConversation } from "./import-conversation.ts";
import { Rest } from "./rest.ts";
import { answerLines, nextSteps, type Retrieved } from "./show.ts";

export interface DemoOptions {
  /** The command line: a file that Node runs. */
  readonly bin: string;
  /** Default: as the configuration says, or a free one if that is taken. */
  readonly port?: number;
  readonly write: (line: string) => void;
}

const root = join(import.meta.dirname, "../..");
const conversation = join(root, "examples/conversation.jsonl");
const instance = ["--name", "demo"] as const;
/** Hits that are shown of each question. */
const shown = 2;

export async function runDemo({ bin, port, write }: DemoOptions): Promise<void> {
  // Whoever has a key of OpenAI in the environment need not pay for an example.
  const flux = new FluxCommand(bin, { FLUX_EMBEDDER: "static" });
  const { folder, created } = await flux.run<{ folder: string; created: readonly string[] }>(
    ...["init", ...instance, "--mode", "caller_extracts"],
  );
  write(`${created.length > 0 ? "Made" : "Found"} the instance demo in ${folder}`);
  const url = await start(flux, port);
  write(`Its service runs at ${url}`);
  const rest = new Rest(url);
  const { before, after } = await importConversation(rest, conversation);
  write(`Of the example conversation, ${after - before} turns were stored now and ${before} before`);
  const { asked_at, zone, questions } = readQuestions();
  for (const { question, first } of questions) {
    const asked = { query: question, limit: shown, asked_at: Date.parse(asked_at), zone };
    const found = await rest.post<Retrieved>("/retrieve", asked);
    write("");
    for (const line of answerLines(question, found, { zone })) write(line);
    // Whoever asks says what was of use; the service asks for it.
    await rest.post("/feedback/batch", {
      items: found.grains.map(({ id, content }) => ({
        trace_id: found.trace_id,
        grain_id: id,
        useful: first !== undefined && content.includes(first),
      })),
    });
  }
  write("\nThe service goes on. What to do next:\n");
  for (const line of nextSteps({ url, bin, folder })) write(line);
}

/** Starts the service unless it runs. */
async function start(flux: FluxCommand, port?: number): Promise<string> {
  const at = port === undefined ? [] : ["--port", String(port)];
  try {
    return (await flux.run<{ url: string }>("start", ...instance, ...at)).url;
  } catch (error) {
    if (!(error instanceof FluxCommandError) || error.code !== "daemon_running") throw error;
    return (await flux.run<{ url: string }>("status", ...instance)).url;
  }
}

interface Questions {
  readonly asked_at: string;
  readonly zone: string;
  readonly questions: readonly { readonly question: string; readonly first?: string }[];
}

function readQuestions(): Questions {
  return JSON.parse(readFileSync(join(root, "examples/questions.json"), "utf8"));
}

if (import.meta.main)
  await runDemo({ bin: join(root, "dist/cli/bin.js"), write: (line) => console.log(line) });
