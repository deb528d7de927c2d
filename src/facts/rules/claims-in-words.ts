import { type ExtractByRulesOptions, extractByRules } from "./extract.ts";

/** When the texts of tests are said: Wednesday, 15 May 2024, noon UTC. */
export const saidAt = Date.UTC(2024, 4, 15, 12);

/** What the rules read from a text, as words: "user lives_in Porto", "user eats meat (denied)". For tests. */
export function claimsInWords(text: string, options: Partial<ExtractByRulesOptions> = {}): string[] {
  return extractByRules(text, { saidAt, ...options }).map(
    ({ subject, predicate, object, affirmed, change }) => {
      const state = [affirmed === false ? "denied" : "", change ?? ""]
        .filter((word) => word !== "")
        .join(" ");
      return [subject, predicate, object ?? "", state === "" ? "" : `(${state})`]
        .filter((word) => word !== "")
        .join(" ");
    },
  );
}
