import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A server that speaks OpenAI's protocol for embeddings, and answers when the test lets it. */
export class EmbeddingServer implements AsyncDisposable {
  readonly #server = createServer(async (request, response) => {
    const { input } = (await json(request)) as { readonly input: readonly string[] };
    this.#arrived.push(...input);
    this.#notice();
    await this.#gate;
    if (this.failing) {
      response.writeHead(500).end();
      return;
    }
    const data = input.map((text, index) => ({ index, embedding: vector(text) }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data, model: "text-embedding-3-small", object: "list" }));
  });
  /** Whether it refuses all requests. */
  failing = false;
  readonly #arrived: string[] = [];
  #notice: () => void = () => undefined;
  #gate: Promise<void> = Promise.resolve();

  static async start(): Promise<EmbeddingServer> {
    const own = new EmbeddingServer();
    own.#server.listen(0, "127.0.0.1");
    await once(own.#server, "listening");
    return own;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Texts that were sent, in order. */
  get texts(): readonly string[] {
    return this.#arrived;
  }

  /** Answers nothing until the function that it returns is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return resolve;
  }

  /** Resolves when so many texts were sent. */
  async received(count: number): Promise<void> {
    while (this.#arrived.length < count)
      await new Promise<void>((resolve) => {
        this.#notice = resolve;
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** Of the length that the model has; different texts in different directions. */
function vector(text: string): number[] {
  return Array.from({ length: 1536 }, (_, i) => ((text.charCodeAt(i % text.length) * (i + 7)) % 101) - 50);
}
