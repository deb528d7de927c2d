import { signalWords } from "../../src/cli/signal-words.ts";

/** What the demo uses of the answer of `POST /retrieve`. */
export interface Retrieved {
  readonly trace_id: string;
  readonly confidence: number;
  readonly grains: readonly {
    readonly id: string;
    readonly content: string;
    readonly author?: string;
    readonly said_at: number;
    readonly signals: readonly { readonly name: string; readonly score: number }[];
  }[];
}

/** Below it, the question is probably about something that was never said. Chosen for the example, not measured in general. */
const unsure = 0.25;

/** A question with what was found and why, as lines of at most `width` characters. */
export function answerLines(
  question: string,
  { confidence, grains }: Retrieved,
  { zone, width = 100 }: { readonly zone: string; readonly width?: number },
): readonly string[] {
  const sure = confidence < unsure ? ": probably nothing is known, the nearest are" : "";
  const lines = [question, `  confidence ${confidence.toFixed(2)}${sure}`];
  for (const { content, author, said_at, signals } of grains) {
    const day = new Intl.DateTimeFormat("en-GB", { timeZone: zone, dateStyle: "medium" }).format(said_at);
    const why = signals.map(({ name, score }) => `${signalWords[name] ?? name} ${score.toFixed(2)}`);
    lines.push(...wrap(`${author ?? "Assistant"}, ${day}: ${content}`, width, "  · ", "    "));
    lines.push(...wrap(`found by ${why.join(", ")}`, width, "    ", "    "));
  }
  return lines;
}

/** Breaks a text between its words. */
export function wrap(text: string, width: number, first: string, others: string): readonly string[] {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(/\s+/)) {
    const longer = line === first || line === others ? line + word : `${line} ${word}`;
    if (longer.length > width && line !== first && line !== others) {
      lines.push(line);
      line = others + word;
    } else line = longer;
  }
  return [...lines, line];
}

/** How to go on, from a clone: the package is not in a registry yet. */
export function nextSteps({
  url,
  bin,
  folder,
  home = process.env.FLUX_HOME,
}: {
  readonly url: string;
  readonly bin: string;
  readonly folder: string;
  /** Where instances are, if not in the home folder: who starts the server for a client does not know it. */
  readonly home?: string | undefined;
}): readonly string[] {
  const server = {
    ...{ command: "node", args: [bin, "mcp", "--name", "demo"] },
    ...(home ? { env: { FLUX_HOME: home } } : {}),
  };
  return [
    `REST   ${url}, shown at ${url}/docs`,
    `CLI    npx flux-memory search "Where do I live now?" --name demo`,
    `SDK    (await Flux.open("sqlite:${folder}/flux.db")).for({ userId: null }): docs/memory.md`,
    `MCP    {"mcpServers":{"flux-demo":${JSON.stringify(server)}}}`,
    "Stop   npm stop",
  ];
}
