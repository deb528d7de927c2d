import type { Fact } from "./fact.ts";

/** Facts out of triples, the first recorded first, for tests. */
export function sampleFacts(
  ...triples: readonly (readonly [subject: string, predicate: string, object: string, more?: Partial<Fact>])[]
): Fact[] {
  return triples.map(([subject, predicate, object, more], i) => ({
    ...{ id: `v${i}`, factId: `f${i}`, subject, predicate, object, affirmed: true, confidence: 1 },
    ...{
      provenance: "user_stated",
      recordedFrom: i,
      sources: [],
      mentions: 0,
      firstSaidAt: i,
      lastSaidAt: i,
    },
    ...more,
  }));
}
