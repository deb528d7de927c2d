import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request for a chat completion, as far as tests look at it. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly temperature?: number;
  readonly response_format?: { readonly type: string };
  readonly [key: string]: unknown;
}

/** What a server does with one request for a completion. */
export interface ChatReply {
  /** What the model writes. */
  readonly content?: string | null;
  readonly reasoning?: string;
  /** Default "stop". */
  readonly finish?: string;
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** In the place of a completion. */
  readonly body?: string;
  /** Ends the connection in the middle of the answer. */
  readonly drop?: true;
  /** Never answers. */
  readonly hang?: true;
}

/**
 * A server that speaks OpenAI's protocol, as Ollama and others do, with the replies of a test: one after the other, the last one
 * for all further requests, or what a function says.
 */
export class OpenAIServer implements AsyncDisposable {
  readonly requests: ChatRequest[] = [];
  /** Headers `authorization` of all requests. */
  readonly keys: (string | undefined)[] = [];
  /** Names that it lists. */
  models: readonly string[] = ["llama3.1:8b"];
  /** Status with which it answers all requests, instead of answering them. */
  failing: number | undefined;
  reply: (request: ChatRequest) => ChatReply | Promise<ChatReply>;
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch(() => response.destroy());
  });

  private constructor(reply: OpenAIServer["reply"]) {
    this.reply = reply;
  }

  static async start(...replies: readonly (ChatReply | OpenAIServer["reply"])[]): Promise<OpenAIServer> {
    let next = 0;
    const server = new OpenAIServer((request) => {
      const reply = replies[Math.min(next++, replies.length - 1)] ?? {};
      return typeof reply === "function" ? reply(request) : reply;
    });
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  /** Without a path, as Ollama's address is given. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.keys.push(request.headers.authorization);
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const send = (status: number, value: string, headers: Readonly<Record<string, string>> = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(value);
    };
    if (this.failing !== undefined) return send(this.failing, "{}");
    if (request.url === "/v1/models")
      return send(200, JSON.stringify({ object: "list", data: this.models.map((id) => ({ id })) }));
    if (request.url !== "/v1/chat/completions") return send(404, "{}");
    const asked = JSON.parse(body) as ChatRequest;
    this.requests.push(asked);
    const reply = await this.reply(asked);
    if (reply.hang) return;
    const value = reply.body ?? completion(asked.model, reply);
    if (!reply.drop) return send(reply.status ?? 200, value, reply.headers);
    response.writeHead(200, { "content-type": "application/json", "content-length": value.length + 10 });
    response.write(value.slice(0, value.length / 2), () => response.destroy());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function completion(model: string, { content = "", reasoning, finish = "stop" }: ChatReply): string {
  const message = {
    ...{ role: "assistant", content },
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
  };
  return JSON.stringify({
    ...{ id: "1", object: "chat.completion", created: 1, model },
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
}
