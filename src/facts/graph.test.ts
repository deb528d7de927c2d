import { describe, expect, test } from "vitest";
import type { Fact } from "./fact.ts";
import { FactGraph, type GraphSearch, mostPaths } from "./graph.ts";
import { sampleFacts } from "./sample-facts.ts";

const graphOf = (facts: readonly Fact[]): FactGraph => new FactGraph(facts.toReversed());
const wide: GraphSearch = { hops: 2, direction: "both", limit: 100 };

function lines(graph: FactGraph, seeds: readonly string[], search: Partial<GraphSearch> = {}): string[] {
  return graph.pathsFrom(seeds, { ...wide, ...search }).paths.map((path) => path.render());
}

const town = graphOf(
  sampleFacts(
    ["user", "has_sister", "Ines"],
    ["Ines", "works_at", "Acme"],
    ["Bob", "works_at", "ACME"],
    ["Acme", "located_in", "Porto"],
  ),
);

describe("paths", () => {
  test("lead along facts in both directions, the shorter before the longer and then the newer before the older", () => {
    expect(lines(town, ["user"])).toEqual([
      "user -[has_sister]-> Ines",
      "user -[has_sister]-> Ines -[works_at]-> Acme",
    ]);
    expect(lines(town, ["bob"])).toEqual([
      "Bob -[works_at]-> Acme",
      "Bob -[works_at]-> Acme -[located_in]-> Porto",
      "Bob -[works_at]-> Acme <-[works_at]- Ines",
    ]);
  });

  test("know their facts, the way each is read, and what they lead through", () => {
    const path = town.pathsFrom(["bob"], wide).paths[2];
    expect(path?.facts.map(({ id }) => id)).toEqual(["v2", "v1"]);
    expect(path?.directions).toEqual(["forward", "backward"]);
    expect(path?.nodes).toEqual(["Bob", "Acme", "Ines"]);
  });

  test("are followed one way where that is asked for", () => {
    expect(lines(town, ["acme"], { direction: "out", hops: 1 })).toEqual(["Acme -[located_in]-> Porto"]);
    expect(lines(town, ["acme"], { direction: "in", hops: 2 })).toEqual([
      "Acme <-[works_at]- Bob",
      "Acme <-[works_at]- Ines",
      "Acme <-[works_at]- Ines <-[has_sister]- user",
    ]);
  });

  test("are as long as there are hops and as many as the limit says", () => {
    expect(lines(town, ["user"], { hops: 4 })).toHaveLength(4);
    expect(lines(town, ["user"], { hops: 4, limit: 3 })).toHaveLength(3);
    expect(lines(town, ["user"], { hops: 1 })).toHaveLength(1);
  });

  test("never come back to what they led through, and are one from both of their ends", () => {
    const ring = graphOf(sampleFacts(["a", "next", "b"], ["b", "next", "c"], ["c", "next", "a"]));
    expect(lines(ring, ["a"], { hops: 5 })).toHaveLength(4);
    expect(lines(ring, ["a", "b"], { hops: 1 })).toEqual(["a <-[next]- c", "b -[next]-> c", "a -[next]-> b"]);
    expect(lines(graphOf(sampleFacts(["a", "likes", "A"])), ["a"])).toEqual([]);
  });

  test("of a hub with too many neighbours are cut, which is said", () => {
    const hub = graphOf(
      sampleFacts(
        ...Array.from({ length: mostPaths + 1 }, (_, i) => ["hub", "likes", `thing ${i}`] as const),
      ),
    );
    const { paths, cut } = hub.pathsFrom(["hub"], { ...wide, limit: 5 });
    expect(cut).toBe(true);
    expect(paths.map(({ nodes }) => nodes[1])).toContain(`thing ${mostPaths}`);
    expect(town.pathsFrom(["user"], wide).cut).toBe(false);
  });

  test("are one line, whatever names contain", () => {
    const hostile = graphOf(sampleFacts(["a\n- b", "likes", "x\r\n\ty"]));
    expect(lines(hostile, hostile.nodesOf(["A - B"]))).toEqual(["a - b -[likes]-> x y"]);
  });
});

describe("nodes", () => {
  test("are named by words of three letters and more that say something", () => {
    expect(town.seedsOf("Where does Inès work?")).toEqual(["ines"]);
    expect(town.seedsOf("porto or ACME")).toEqual(["acme", "porto"]);
    expect(town.seedsOf("Who is that?")).toEqual([]);
    const short = graphOf(sampleFacts(["The Hague", "is_in", "it"]));
    expect(short.seedsOf("What is the capital of it?")).toEqual([]);
  });

  test("are named by how they are related", () => {
    expect(town.seedsOf("Where does my sister work?")).toEqual(["ines"]);
    expect(town.seedsOf("Has anybody a brother?")).toEqual([]);
  });

  test("are found in scripts without spaces", () => {
    const china = graphOf(sampleFacts(["小明", "住在", "北京"]));
    expect(china.seedsOf("小明现在住在哪里？")).toEqual(["小明"]);
  });

  test("are the same for names that stand for the same", () => {
    const graph = graphOf(
      sampleFacts(
        ["user", "name", "Alice"],
        ["Bobby", "same_as", "Robert"],
        ["Alice", "knows", "Robert"],
        ["bobby", "works_at", "Acme"],
      ),
    );
    expect(lines(graph, graph.nodesOf(["alice"]))).toEqual([
      "user -[knows]-> Bobby",
      "user -[knows]-> Bobby -[works_at]-> Acme",
    ]);
    expect(graph.seedsOf("What about Alice?")).toEqual(["user"]);
    expect(graph.nodesOf(["Robert", "bobby", "nobody", " "])).toEqual(["bobby"]);
  });

  test("are not joined or linked by what is denied", () => {
    const graph = graphOf(
      sampleFacts(
        ["Ann", "same_as", "Anna", { affirmed: false }],
        ["Ann", "likes", "Bob", { affirmed: false }],
      ),
    );
    expect(graph.nodesOf(["Ann", "Anna"])).toEqual([]);
  });
});
