/**
 * A memory as a service: identity of callers, limits, feedback that is asked for. Needs Node.
 *
 * @module
 */

export {
  type Caller,
  type CallerOptions,
  type CallerRole,
  callerOf,
  callerRoles,
} from "./service/callers.ts";
export { Config } from "./service/config.ts";
export type { ConfigKey, ConfigOptions, ConfigValues, OperatingMode } from "./service/config-keys.ts";
export { configYaml } from "./service/config-yaml.ts";
export { FluxService } from "./service/flux-service.ts";
export { FluxStore, type FluxStoreOptions } from "./service/flux-store.ts";
export { type AppOptions, createApp, type RestApp } from "./service/http/app.ts";
export { type RestServer, type ServeOptions, serve } from "./service/http/serve.ts";
export type {
  FluxServiceOptions,
  Onboarding,
  RetrievedGrain,
  RetrieveOptions,
  RetrieveResult,
  ServiceEvent,
  ServiceFeedback,
  ServiceHealth,
  ServiceScope,
  ServiceStatus,
  ServiceStoreOptions,
  ServiceWarning,
  StopOptions,
} from "./service/service-types.ts";
