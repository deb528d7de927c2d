import { type Scope, type ScopeOptions, scopeOf } from "../flux/scope.ts";

/**
 * A scope, in a namespace of its own or else in that of the memory.
 *
 * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id`, `invalid_user_id`
 */
export function scopeIn(namespace: string | undefined, scope: ScopeOptions): Scope {
  const checked = scopeOf(scope);
  if (scope.namespace !== undefined || namespace === undefined) return checked;
  return scopeOf({ ...scope, namespace });
}
