import { isPlainObject } from "../../model/json.ts";
import { type Metadata, type MetadataValue, metadataLimits } from "../../model/metadata.ts";
import { timestampSchema } from "../../model/record.ts";
import { cutToBytes } from "../../text/cut.ts";

/** The properties of a value that came from a file; none when it is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? (value as Record<string, unknown>) : {};
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The first property of these names that is there. */
export function firstOf(fields: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  for (const name of names) if (fields[name] !== undefined && fields[name] !== null) return fields[name];
  return undefined;
}

// A moment in seconds that is greater than this lies after the year 5000, and one in milliseconds that is smaller in 1973.
const mostSeconds = 1e11;

/** With an ISO 8601 date, and perhaps a time and a zone; without a zone, UTC. */
const isoDate = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** A moment in milliseconds, of seconds or milliseconds since 1970 or an ISO date; undefined for anything else. */
export function timeOf(value: unknown): number | undefined {
  let at = Number.NaN;
  if (typeof value === "number") at = Math.abs(value) < mostSeconds ? value * 1000 : value;
  else if (typeof value === "string") {
    const text = value.trim();
    if (/^-?\d+(\.\d+)?$/.test(text)) return timeOf(Number(text));
    const [, date, time = "00:00", zone = "Z"] = isoDate.exec(text) ?? [];
    if (date !== undefined) at = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  }
  const moment = timestampSchema.safeParse(Math.round(at));
  return moment.success ? moment.data : undefined;
}

/** The words of a message whose content is a text, or a list of texts and of parts that have one. */
export function wordsOf(content: unknown): string | undefined {
  if (!Array.isArray(content)) return stringOf(content);
  const texts = content.flatMap((part) => {
    const { type = "text", text } = fieldsOf(part);
    const words = typeof part === "string" ? part : textTypes.has(String(type)) ? text : undefined;
    return stringOf(words) ?? [];
  });
  return stringOf(texts.join("\n\n"));
}

const textTypes: ReadonlySet<string> = new Set(["text", "input_text", "output_text", "audio_transcription"]);

/** Longest value that an importer gives to metadata, in bytes. */
const maxValueBytes = 512;

/** Metadata of what is there; texts are cut. */
export function metadataOf(values: Readonly<Record<string, MetadataValue | undefined>>): {
  readonly metadata: Metadata;
} {
  const cut = (value: string): string => cutToBytes(value.toWellFormed().replaceAll("\0", ""), maxValueBytes);
  const short = (value: MetadataValue): MetadataValue => {
    if (typeof value === "string") return cut(value);
    return typeof value === "object" ? value.slice(0, maxListed).map(cut) : value;
  };
  const entries = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, short(value)] as const],
  );
  return { metadata: Object.fromEntries(entries) };
}

const maxListed = Math.floor(metadataLimits.bytes / maxValueBytes / 2);

/** As `{ [name]: value }`, and empty when there is no value. */
export function given<K extends string, V>(name: K, value: V | undefined): { readonly [name in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [name in K]?: V };
}
