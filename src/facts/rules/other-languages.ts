import type { Piece } from "../../text/segment.ts";

/** What a form of words in another language than English says of its speaker. */
export interface ForeignClaim {
  readonly predicate: string;
  readonly object: Piece;
  /** Where the words that say it begin. */
  readonly start: number;
  readonly reason: string;
}

interface Form {
  readonly predicate: string;
  readonly reason: string;
  readonly pattern: RegExp;
}

const capital = String.raw`\p{Lu}[\p{L}\p{M}'’-]*`;
const name = String.raw`(?<object>${capital}(?:\s+(?:(?:de|da|do|del|la|von|van|der|am|an der|le)\s+)?${capital}){0,2})`;
const noun = String.raw`(?<object>\p{L}[\p{L}-]+(?:\s+(?:de|del|da|do)\s+\p{L}+)?)`;

function form(language: string, predicate: string, words: string, object: string): Form {
  return {
    predicate,
    reason: `${language}: ${predicate}`,
    pattern: new RegExp(`(?<![\\p{L}'’])(?:${words})\\s+${object}`, "iu"),
  };
}

const fullName = new RegExp(
  String.raw`^${capital}(?:\s+(?:(?:de|da|do|del|la|von|van|der|am|le)\s+)?${capital})*`,
  "u",
);

/** A capital after all: the flag that lets verbs begin a sentence takes it away from names. */
function isCapital(text: string): boolean {
  return /^\p{Lu}/u.test(text);
}

// The most frequent ways to say one's name, home, work and likes.
const german: readonly Form[] = [
  form("German", "name", "ich heiße|ich heisse|mein name ist|und heiße|ich bin der|ich bin die", name),
  form(
    "German",
    "lives_in",
    "ich wohne (?:jetzt |derzeit |zurzeit )?in|ich lebe (?:jetzt |derzeit |seit \\d{4} )?in|(?:und|,) (?:ich )?(?:wohne|lebe) in|jetzt wohne ich in",
    name,
  ),
  form("German", "from", "ich komme (?:ursprünglich )?aus|und komme aus", name),
  form("German", "works_at", "(?:ich|und) arbeite (?:seit \\d{4} |jetzt )?(?:bei|für)(?: der| dem)?", name),
  form("German", "works_as", "(?:ich|und) arbeite als|ich bin von beruf", noun),
  form("German", "likes", "ich (?:mag|liebe)", noun),
];
const spanish: readonly Form[] = [
  form("Spanish", "name", "me llamo|mi nombre es", name),
  form("Spanish", "lives_in", "(?:yo )?(?:vivo|resido) (?:ahora |actualmente )?en", name),
  form("Spanish", "from", "(?:yo )?soy de", name),
  form("Spanish", "works_at", "(?:yo )?trabajo (?:en|para)", name),
  form("Spanish", "works_as", "(?:yo )?trabajo (?:como|de)(?: una?)?", noun),
  form("Spanish", "likes", "me (?:gustan?|encantan?)(?: mucho)?(?: el| la| los| las)?", noun),
];
const french: readonly Form[] = [
  form("French", "name", "je m['’]appelle|mon nom est|mon prénom est", name),
  form("French", "lives_in", "j['’]habite (?:maintenant )?(?:à|en|au|aux)|je vis (?:à|en|au|aux)", name),
  form("French", "from", "je viens (?:de|du)|je suis originaire de", name),
  form("French", "works_at", "je travaille (?:chez|pour)", name),
  form("French", "works_as", "je travaille comme|je travaille en tant que", noun),
  form("French", "likes", "j['’](?:aime|adore)(?: bien| beaucoup)?(?: le| la| les)?", noun),
];
const portuguese: readonly Form[] = [
  form("Portuguese", "name", "meu nome é|o meu nome é|chamo-me|me chamo", name),
  form("Portuguese", "lives_in", "(?:eu )?(?:moro|resido) (?:agora )?(?:em|no|na)|eu vivo em", name),
  form("Portuguese", "from", "(?:eu )?sou (?:de|do|da)", name),
  form("Portuguese", "works_at", "(?:eu )?trabalho (?:na|no|em|para a|para o)", name),
  form("Portuguese", "works_as", "(?:eu )?trabalho como", noun),
  form("Portuguese", "likes", "(?:eu )?gosto (?:muito )?(?:de|do|da|dos|das)", noun),
];

const languages: readonly {
  readonly trigger: RegExp;
  readonly unsure: RegExp;
  readonly forms: readonly Form[];
}[] = [
  {
    trigger: /\b(?:ich|mein)\b/i,
    unsure: /\b(?:wenn|ob|falls|würde|hätte|sagte|sagt|vielleicht|früher)\b|\bnicht\b/i,
    forms: german,
  },
  {
    trigger: /\b(?:me|mi|yo|vivo|soy|trabajo)\b/i,
    unsure: /\b(?:si|ojalá|dijo|dice|quizás?|tal vez|antes|no)\b/i,
    forms: spanish,
  },
  { trigger: /\b(?:je|j['’]|mon)/i, unsure: /(?:^|\s)(?:si|peut-être|dit|pas|avant)\s/i, forms: french },
  {
    trigger: /\b(?:meu|me|eu|moro|trabalho|sou|gosto|chamo)\b/i,
    unsure: /(?:^|\s)(?:se|talvez|disse|não|antes)\s/i,
    forms: portuguese,
  },
];

const notObjects =
  /^(?:dich|dir|es|das|dass|den|die|der|du|sie|wenn|was|wie|que|te|tu|cuando|casa|beaucoup|toi|ça|bien|quand|você|isso|isto|quando|um|uma|un|una|une|ein|eine|sehr|muito|mucho|muy|très|to|not|him|her|and)$/i;
const finalWords = /\s+(?:und|y|e|et|und ich)$/i;

/** Reads names, homes, work and likes in German, Spanish, French and Portuguese. */
export function readOtherLanguages(sentence: string): readonly ForeignClaim[] {
  if (/\b(?:the|is|and|my|I'm|you)\b/.test(sentence)) return [];
  for (const { trigger, unsure, forms } of languages) {
    if (!trigger.test(sentence) || unsure.test(sentence)) continue;
    const found = forms.flatMap(({ predicate, reason, pattern }): readonly ForeignClaim[] => {
      const match = pattern.exec(sentence);
      const text = match?.groups?.object?.replace(finalWords, "").replace(/['’.-]+$/, "") ?? "";
      const named = /^(?:name|lives_in|from|works_at)$/.test(predicate);
      if (match === null || text.length < 2 || notObjects.test(text)) return [];
      const [first = ""] = named ? (fullName.exec(text) ?? []) : [text];
      if (first === "" || (named && !isCapital(first))) return [];
      const start = match.index + match[0].length - (match.groups?.object?.length ?? 0);
      return [{ predicate, reason, object: { text: first, start }, start: match.index }];
    });
    if (found.length > 0) return found;
  }
  return [];
}
