import { callerRoles } from "../callers.ts";

/** Headers that many requests take, as OpenAPI has them. They are read in scope.ts. */
export const parameters = {
  User: {
    name: "X-Flux-User",
    in: "header",
    description:
      "Whose memory it is, as percent-encoded UTF-8. Default: the anonymous user. Or begin the path with `/users/{user_id}`.",
    schema: { type: "string" },
    example: "alice",
  },
  Namespace: {
    name: "X-Flux-Namespace",
    in: "header",
    description: "The namespace of the user, as percent-encoded UTF-8. Default `default`.",
    schema: { type: "string" },
  },
  Agent: {
    name: "X-Flux-Agent",
    in: "header",
    description: "The agent that what is stored belongs to, as percent-encoded UTF-8.",
    schema: { type: "string" },
  },
  Session: {
    name: "X-Flux-Session",
    in: "header",
    description: "The session that what is stored belongs to, as percent-encoded UTF-8.",
    schema: { type: "string" },
  },
  Client: {
    name: "X-Flux-Client",
    in: "header",
    description: "Who calls: any stable name, as percent-encoded UTF-8. Default `anonymous`.",
    schema: { type: "string" },
    example: "local-agent-1",
  },
  Role: {
    name: "X-Flux-Role",
    in: "header",
    description: `${callerRoles.map((role) => `\`${role}\``).join(", ")}. Default \`chat\`.`,
    schema: { type: "string" },
    example: "chat",
  },
  CallerId: {
    name: "X-Caller-Id",
    in: "header",
    description: "The older form of client and role, `local-agent-1:chat`.",
    schema: { type: "string" },
  },
  Operation: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Names the operation, as percent-encoded UTF-8: repeated with the same request, it has its effect once. Default: a random one.",
    schema: { type: "string" },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "An `ETag`: change it only if it is still this version.",
    schema: { type: "string" },
    example: '"12"',
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "The `id` of the last event that was dealt with.",
    schema: { type: "string" },
  },
} as const;

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
