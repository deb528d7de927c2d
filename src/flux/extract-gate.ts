import type { Grain } from "../model/grain.ts";
import { fold } from "../text/fold.ts";
import { type ExtractionQueue, extractQueue, factsQueue } from "./extract-queue.ts";
import { type SaidRecord, sidesOf } from "./extract-sides.ts";
import type { FluxParts } from "./open-flux.ts";

/** Words of which nothing follows, in the languages that are written most. Folded. */
const smallTalk: ReadonlySet<string> = new Set(
  `a ah aha alright am and appreciate are awesome bye can cheers continue cool could day do done evening exactly fine for go
  good goodbye got great ha haha hehe hello help hey hi hm hmm how i im is it later lol made makes me meet morning much my
  nice night no nope not of oh ok okay on one perfect please problem really right see sense so sorry sounds sure thank thanks
  that thats the them then there this to today too understood very was welcome well what will works worries wow yay yeah yep
  yes you your
  bitte danke gut gute hallo ja nein nacht schon tag tschuss vielen
  adios bien bonjour buenos buenas ciao claro dias gracias hola merci muchas noches non oui prego salut si
  bom dia obrigada obrigado ola sim tudo
  да нет спасибо привет пока хорошо
  はい いいえ ありがとう 好 好的 谢谢 是 不 你好 네 아니요 감사합니다`.split(/\s+/),
);

/** A long text is never small talk. UTF-16 units. */
const longestSmallTalk = 200;

/** What is to be said of a record to know who reads it. */
interface Said {
  readonly record: SaidRecord;
  readonly grain: Pick<Grain, "provenance" | "author">;
}

/** Who is to derive something from a text that is stored: rules and a model, where there is something to be derived. */
export function readersOf(
  { autoExtract, extractFrom, extraction }: Pick<FluxParts, "autoExtract" | "extractFrom" | "extraction">,
  { record, grain }: Said,
): readonly ExtractionQueue[] {
  if (!autoExtract || !isSaid(record)) return [];
  const sides = sidesOf(record, grain).filter(({ text }) => worthReading(text));
  const queues: ExtractionQueue[] = [];
  if (sides.some(({ provenance }) => extractFrom.includes(provenance))) queues.push(factsQueue);
  const noted = sides.some(({ provenance }) => provenance !== "ai_inferred");
  if (extraction !== undefined && noted && !isOutput(record)) queues.push(extractQueue);
  return queues;
}

/** Whether somebody says it: it is neither an instruction nor derived itself. */
function isSaid(record: SaidRecord): boolean {
  if (record.kind === "message") return record.value.role !== "system";
  return record.kind === "episode" || record.value.form === "note";
}

/** Statements are noted down of what people and assistants say, not of the output of tools. */
function isOutput(record: SaidRecord): boolean {
  return record.kind === "message" && record.value.role === "tool";
}

/** Whether a text is more than small talk. */
function worthReading(text: string): boolean {
  if (text.length > longestSmallTalk) return true;
  const words = text.match(/[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu) ?? [];
  return words.some((word) => !smallTalk.has(fold(word).replace(/['’]/g, "")));
}
