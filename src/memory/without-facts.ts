import { FluxError } from "../model/errors.ts";

export function withoutFacts(): FluxError {
  return new FluxError("invalid_argument", "This memory keeps no facts", {
    hint: "It was made with withFacts: false. Made without that, it extracts facts from then on.",
  });
}
