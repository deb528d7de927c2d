/** Names and form of the headers that say whose memory it is and who calls. */
export const headerNames = {
  user: "x-flux-user",
  namespace: "x-flux-namespace",
  agent: "x-flux-agent",
  session: "x-flux-session",
  client: "x-flux-client",
  role: "x-flux-role",
  /** The older form, "client:role". */
  callerId: "x-caller-id",
  operation: "idempotency-key",
} as const;

/** Any text as a header can carry it: percent-encoded UTF-8. Lone surrogates become U+FFFD. */
export function encodeHeader(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

/**
 * Reads such a header. What needs no encoding in a header may stand as it is, such as `@` and `:`; a comma may not, because
 * two headers of the same name arrive as one with a comma.
 *
 * @returns undefined for what is not well-formed
 */
export function decodeHeader(value: string): string | undefined {
  if (!/^[!-+\--~]*$/.test(value)) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
