import { fieldsOf, metadataOf, stringOf } from "./fields.ts";
import { type Imported, type ImportSource, imported, problem } from "./imported.ts";
import { jsonLines } from "./json-lines.ts";

/**
 * Reads the file of the MCP reference server "memory": a text for each observation, with the name of its entity before it,
 * and one for each relation.
 */
export async function* readServerMemory({ text }: ImportSource): AsyncGenerator<Imported> {
  for await (const line of jsonLines(text)) {
    if (line.type === "problem") yield line;
    else yield* recordOf(line.value, `line ${line.number}`);
  }
}

function* recordOf(value: unknown, place: string): Generator<Imported> {
  const record = fieldsOf(value);
  if (record.type === "entity") yield* entityOf(record, place);
  else if (record.type === "relation") yield relationOf(record, place);
  else yield problem(place, "is neither an entity nor a relation");
}

function* entityOf(record: Readonly<Record<string, unknown>>, place: string): Generator<Imported> {
  const name = stringOf(record.name);
  if (name === undefined) return yield problem(place, "is an entity without a name");
  const entityType = stringOf(record.entityType);
  const { observations = [] } = record;
  if (!Array.isArray(observations)) return yield problem(place, "has observations that are no list");
  const origin = metadataOf({ source: "server-memory", entity: name, entity_type: entityType });
  const knowledge = { provenance: "ai_stated", ...origin } as const;
  if (observations.length === 0) {
    const text = entityType === undefined ? name : `${name} (${entityType})`;
    yield imported({ text, ...knowledge }, "server-memory", "entity", name);
  }
  for (const [i, entry] of observations.entries()) {
    const observation = stringOf(entry);
    if (observation === undefined) yield problem(`${place}, observation ${i + 1}`, "is no text");
    else
      yield imported(
        { text: `${name}: ${observation}`, ...knowledge },
        ...["server-memory", "observation", name, observation],
      );
  }
}

function relationOf(record: Readonly<Record<string, unknown>>, place: string): Imported {
  const [from, to, relation] = ["from", "to", "relationType"].map((field) => stringOf(record[field]));
  if (from === undefined || to === undefined || relation === undefined)
    return problem(place, "is a relation without from, to or relationType");
  const text = `${from} ${relation.replaceAll("_", " ")} ${to}`;
  const metadata = metadataOf({ source: "server-memory", from, relation, to });
  return imported(
    { text, provenance: "ai_stated", ...metadata },
    ...["server-memory", "relation", from, relation, to],
  );
}
