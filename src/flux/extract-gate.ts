import { fold } from "../text/fold.ts";
import type { Draft } from "./store-items.ts";

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

/**
 * Whether something may follow from a text: it was said or written by somebody, rather than derived by a model or given as an
 * instruction, and is more than small talk.
 */
export function worthExtracting({ record, grain }: Draft): boolean {
  if (grain.provenance === "ai_inferred") return false;
  if (record.kind === "message" && !(record.value.role === "user" || record.value.role === "assistant"))
    return false;
  const text = record.value.content;
  if (text.length > longestSmallTalk) return true;
  const words = text.match(/[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu) ?? [];
  return words.some((word) => !smallTalk.has(fold(word).replace(/['’]/g, "")));
}
