/**
 * What tells a server apart from OpenAI's own in an embedder's id: its host and port, since two servers may have different
 * models under one name. Not its path, in which some have a key. Undefined for OpenAI's own, and for what is no address.
 */
export function serverName(baseURL: unknown): string | undefined {
  const url = typeof baseURL === "string" ? URL.parse(baseURL) : null;
  return url === null || url.host === "" || url.host === "api.openai.com" ? undefined : url.host;
}
