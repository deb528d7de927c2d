/** Calls a service with `fetch` alone, as programs in other languages would. */
export class Rest {
  readonly url: string;

  /** @param url of a service, such as "http://127.0.0.1:7465" */
  constructor(url: string) {
    this.url = url;
  }

  get<T>(path: string): Promise<T> {
    return this.#call(path, {});
  }

  /** @param operation names a write, so that it has its effect once however often it is sent */
  post<T>(path: string, body: object, operation?: string): Promise<T> {
    const named = operation === undefined ? {} : { "idempotency-key": encodeURIComponent(operation) };
    const headers = { "content-type": "application/json", ...named };
    return this.#call(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  async #call<T>(path: string, { headers, ...init }: RequestInit): Promise<T> {
    const who = { "x-flux-client": "npm-start", "x-flux-role": "test" };
    const response = await fetch(this.url + path, { ...init, headers: { ...headers, ...who } });
    const answer = await response.json();
    if (!response.ok) throw new RestError(path, answer as Problem);
    return answer as T;
  }
}

interface Problem {
  readonly code: string;
  readonly detail: string;
}

export class RestError extends Error {
  override readonly name = "RestError";
  readonly code: string;

  constructor(path: string, { code, detail }: Problem) {
    super(`${path}: ${detail} (${code})`);
    this.code = code;
  }
}
