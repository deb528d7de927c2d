import { callerRoles } from "../callers.ts";

function header(name: string, description: string, example?: string) {
  const parameter = { name, in: "header", description, schema: { type: "string" } } as const;
  return example === undefined ? parameter : { ...parameter, example };
}

/** Headers that many requests take, as OpenAPI has them. They are read in scope.ts. */
export const parameters = {
  User: header(
    "X-Flux-User",
    "Whose memory it is, as percent-encoded UTF-8. Default: the anonymous user. Or begin the path with `/users/{user_id}`.",
    "alice",
  ),
  Namespace: header(
    "X-Flux-Namespace",
    "The namespace of the user, as percent-encoded UTF-8. Default `default`.",
  ),
  Agent: header("X-Flux-Agent", "The agent that what is stored belongs to, as percent-encoded UTF-8."),
  Session: header("X-Flux-Session", "The session that what is stored belongs to, as percent-encoded UTF-8."),
  Client: header(
    "X-Flux-Client",
    "Who calls: any stable name, as percent-encoded UTF-8. Default `anonymous`.",
    "local-agent-1",
  ),
  Role: header(
    "X-Flux-Role",
    `${callerRoles.map((role) => `\`${role}\``).join(", ")}. Default \`chat\`.`,
    "chat",
  ),
  CallerId: header("X-Caller-Id", "The older form of client and role, `local-agent-1:chat`."),
  Operation: header(
    "Idempotency-Key",
    "Names the operation, as percent-encoded UTF-8: repeated with the same request, it has its effect once. Default: a random one.",
  ),
  IfMatch: header("If-Match", "An `ETag`: change it only if it is still this version.", '"12"'),
  LastEventId: header("Last-Event-ID", "The `id` of the last event that was dealt with."),
};

function refer(...names: (keyof typeof parameters)[]): { readonly $ref: string }[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

const scope = ["User", "Namespace", "Agent", "Session", "Client", "Role", "CallerId"] as const;
/** Of a request that reads a memory. */
export const readParameters = refer(...scope);
/** Of a request that changes one. */
export const writeParameters = refer(...scope, "Operation");
export const changeParameters = refer(...scope, "Operation", "IfMatch");
export const eventParameters = refer(...scope, "LastEventId");
