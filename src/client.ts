/**
 * A client of a flux-memory service: the SDK's memory over HTTP. Runs wherever there is `fetch`.
 *
 * @module
 */

export { FluxError, FluxTypeError } from "./model/errors.ts";
export type { CallerOptions, CallerRole } from "./service/callers.ts";
export {
  type ClientOptions,
  connectFlux,
  type FluxClient,
  type RemoteStatus,
} from "./service/client/connect-flux.ts";
