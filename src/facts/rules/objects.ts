import { knownPlaces, notNames } from "../../text/name-words.ts";
import { isOccupation } from "./occupations.ts";
import { wordSet } from "./words.ts";

/** Words of a clause that are the object of a claim. */
export interface Piece {
  readonly text: string;
  /** Offset in the text that was read. */
  readonly at: number;
}

/** Reads objects from the beginning of what stands after a verb; none when there is nothing that would be one. */
export type ObjectReader = (text: string, options: ReadOptions) => readonly Piece[];

export interface ReadOptions {
  /** The whole text is in lower case, so that capitals tell nothing. */
  readonly lowerCase: boolean;
}

const tail =
  /(?:[\s,]+(?:now|na|apparently|completely|entirely|totally|properly|tho|rn|nowadays|currently|lately|recently|at all|either|again|already|yet|too|also|as well|though|anyway|any ?more|any longer|these days|(?:this|last|next) (?:week|month|year|morning|evening|summer|winter|spring|fall|autumn|weekend|semester|season)|right now|at the moment|at present|at work|natively|fluently|badly|a lot|a bit|a little|so much|very much|so bad|much|more|better|best|(?:the )?most|more than anything|most of all|all the time|all day|(?:every|each) [a-z]+(?: [a-z]+)?|(?:once|twice|(?:two|three|four|\d) times) (?:a|per) (?:day|week|month|year)|with a passion|with all my heart|to (?:bits|death|pieces)|daily|weekly|for (?:now|years|ages|the first time|a while|a living|work|over \w+ years|(?:about |almost |nearly )?(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|several|many|\d+) (?:days?|weeks?|months?|years?|decades?)(?: now)?)|since then|instead|myself|ourselves|together|haha|lol|btw|tho|ok|please|pls|plz|thx|thanks|actually|honestly|by the way|or so|yesterday|today|tomorrow|tonight|just|still|almost|once|twice|finally|someday|some day|sometime|soon|in (?:a|a few|a couple of|two|three) (?:days?|weeks?|months?|years?)|i|i['’]m|i['’]ve|tbh|imo|imho|ngl|specifically|at least|at most|one day|eventually|in the future|after all|(?<!\bgo )(?:full|part)[- ]?time|remotely|with me|with you|sometimes|often|obviously|of course|for sure|i guess|i think|back then|there|here|so far|ever|in (?:january|february|april|june|july|august|september|october|november|december)|in the (?:spring|summer|fall|autumn|winter|near future|morning|evening|new year|coming [a-z]+)|(?:over|at|for) (?:the )?(?:easter|christmas|summer|holidays|weekend|winter|new year)|ever since|on weekends|at home|and|or|of|in|on|at|the|a))+$/i;

const stops =
  /(?<!(?:^|[\s.])(?:\p{Lu}|St|Dr|Mr|Mrs|Ms|Mt))[.](?=\s|$|[."”’)])|[!?;:…()"“”\n¦]|\s[-–—]+\s|—|,?\s+(?:but|because|bc|cuz|coz|so|although|though|since|however|which|who|whose|when|whenever|while|where|if|unless|as|such as|that['’]s|that['’]re|than|instead|rather|due|that|after|before|until|till|even|particularly|mostly|except|just|and (?:it|that|this|i|we|my|he|she|they|the|you|also|then|so|was|is|have|had|am|can|can['’]?t|won['’]?t|couldn['’]?t|would|will|just|really|think|thought|want|feel|need|try|usually|often|don['’]t|never|could|should|get|find|how|now|been|listen|prefer|dislike|avoid|refuse|tend|always|exclusively|strictly|strongly|generally|only|i['’]m|i['’]ve|it['’]s|for|in|to|on|at))(?![\p{L}'’-])|,\s+(?:i|it|and i|birthday|born|so|don['’]t|doesn['’]t|didn['’]t|never|can['’]t|can|could|do|does|seen|what|how|you|we|my|our|they|he|she|too|is|are|any|thanks|right|haha|lol|like|such|including|mainly|mostly|only|not|no|for|to|with|in|on|at|the|this|that|it['’]s|i['’]m|i['’]ve|he['’]s|she['’]s|please|okay|ok|yeah|now|then|want|let|would|should|has|have|had|got|been|was|were|always|waiting|hoping|makes?|cos|cuz|coz|bc|tbh|btw|still|also|plus|after|before|since|where|who|while|wish|fingers|suggest|recommend|write|give|help|make me|tell|show|find|explain|draft|teach me|list|create|which|tastes?|smells?|feels?|sounds?|looks?|seems?|goes|comes|works|runs|wants|needs|hurts|means|gave|gives|took|super|really|very|quite|badly|sadly|luckily|honestly|saves?|apparently)(?![\p{L}'’-])|,\s+\d+\s\p{L}|,\s+(?!(?:\p{L}+ing|and|or|with|like)\s)\p{Ll}+\s+(?:an?|the|my|our|me)\s|\s+it(?:['’]s|\s+(?:is|was|tastes|makes|feels|smells|gives|helps|keeps|calms|saves|always|really|just))\s/iu;
const prepositions =
  /\s+(?:w\/?|with|without|for|in|on|at|from|by|to|into|about|during|near|around|over|under|through|between|across|behind|against|via|named|called|(?<!\b(?:an?|the|my|our|new|good|likes?|loves?|hates?|dislikes?|enjoys?) )running(?=\s)|parked|off(?=\s(?:ebay|gumtree|craigslist|amazon|vinted|facebook|my|an?)\b)|every|each|next|last|this|these|those|right|today|now|yesterday|tomorrow|tonight|and (?:now|then)|is|are|was|were|has|have|had|will)(?![\p{L}'’-])/iu;
const article = /^(?:(?:my|our|his|her|their) own|a|an|the|my|our|his|her|their|some|any)\s+/i;

/** Cuts what does not belong to an object at its end, and an article at its beginning; undefined when nothing is left. */
function trim(text: string, at: number): Piece | undefined {
  let from = /^[\s,:'"“”‘-]*/.exec(text)?.[0].length ?? 0;
  let cut = text.slice(from).replace(/[\s,.!?;:'"“”’…-]+$/u, "");
  cut = cut
    .replace(/\s+(?:set|based|located|held|itself|themselves|wa+y to+ much\b.*)$/i, "")
    .replace(tail, "")
    .replace(/[\s,.!?;:'"“”’…-]+$/u, "");
  const lead = /^(?:also|even|just|really)\s+/i.exec(cut)?.[0].length ?? article.exec(cut)?.[0].length ?? 0;
  const very = /^(?:really|very|super|pretty)\s+(?=\p{Ll})/u.exec(cut.slice(lead))?.[0].length ?? 0;
  from += lead + very;
  cut = cut.slice(lead + very);
  return cut === "" || /^(?:a|an|the|my|it|that|this|there|here|to|also|too)$/i.test(cut)
    ? undefined
    : { text: cut, at: at + from };
}

/** Without the mark that opens a title: "The Hobbit". */
function opened(text: string): string {
  return text.replace(/^\s*["“]/, (mark) => " ".repeat(mark.length));
}

function until(text: string, stop: RegExp): string {
  const match = stop.exec(text);
  return match === null ? text : text.slice(0, match.index);
}

// What such a word begins is no thing that has a name: "it", "your idea", "everything about that".
const vague =
  /^(?:it|its|it['’]s|that|this|these|those|them|they|him|her|he|she|you|your|yours|me|us|myself|yourself|one|ones|(?:basically|literally|almost|pretty much|just about|nearly) (?:any|every|all)\p{L}*|something|anything|everything|nothing|someone|anyone|everyone|somebody|everybody|nobody|what|whatever|how|why|when|where|which|who|if|to (?:see|hear|know|be|say|think)|not|no|so|too|all|both|each|every|more|most|much|many|lots?|(?:a|the) (?:lot|few|bit|way|idea|fact|sound|look|one|thing|feeling|same|rest|only|photo|pic|picture)s?|seeing|hearing(?! aids?)|being|having|knowing|there|here|and|or|but|of|for|with|in|on|at|by|from|as|than|about|up|out|off|down|over|back|was|were|is|are|has|have|had|will|would|to$|to (?:it|that|this)\b|tbh|imo|imho|fwiw|ngl|idk|lol|etc|pray|any ?more|'\w+)(?![\p{L}-])/iu;

const another = /,?\s+(?:and|or)\s+(?:an?|my|our|some|two|three)\s/i;

/** The thing that is meant, without what is said of it: "house" of "a house in Malmö". */
export const thing = (text: string): readonly Piece[] =>
  one(until(until(until(until(until(opened(text), stops), prepositions), another), goesOn), foremost), 6);

const foremost = /,?\s+esp(?:ecially)?\b/i;

// "Levothyroxine, 75 micrograms", "a new phone, finally".
const goesOn =
  /,\s+(?=\d+\s*\p{L}|\p{L}+ing\s|(?:an?|my|our)\s|(?:waiting|finally|mostly|once|first|the|this|pixel|so)\b)/u;

/** The whole of what is meant: "walking in the rain". */
export const phrase = (text: string): readonly Piece[] => one(until(until(opened(text), stops), foremost), 9);

/** Things side by side: "hiking and board games" are two. */
export const things = (text: string): readonly Piece[] => list(until(opened(text), stops), 9);

/** The same, each without what it is beside: "Tamil at home and English at work". */
export const thingsAlone = (text: string): readonly Piece[] =>
  pieces(until(opened(text), stops), (part) => until(part, prepositions)).map(withoutMeasure);

/** The same, each without what is said of it. */
export const nouns = (text: string): readonly Piece[] => list(until(until(text, stops), prepositions), 5);

/** Whether what stands after an object says which of its kind are meant: "games that test me" are not games. */
export function isNarrowed(object: Piece, text: string): boolean {
  return /^\s+(?:that(?! (?:much|well|often)\b)|which|who|where|whose|you|i['’]ve|we|i)\b/i.test(
    text.slice(object.at + object.text.length),
  );
}

function one(text: string, most: number): readonly Piece[] {
  if (vague.test(text.trimStart())) return [];
  const piece = trim(text, 0);
  return piece === undefined ||
    vague.test(piece.text) ||
    wordsOf(piece.text) > most ||
    !/[\p{L}\p{N}]/u.test(piece.text)
    ? []
    : [piece];
}

function wordsOf(text: string): number {
  return text.split(/\s+/).length;
}

/** What stands side by side, each as `cut` leaves it. */
function pieces(text: string, cut: (part: string) => string = (part) => part): readonly Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const match of [...text.matchAll(separator), undefined]) {
    const end = match?.index ?? text.length;
    const piece = trim(cut(text.slice(at, end)), at);
    // "Pistachios, peanuts are fine".
    if (found.length > 0 && piece !== undefined && clause.test(piece.text)) break;
    if (piece !== undefined && !vague.test(piece.text) && !aside.test(piece.text)) found.push(piece);
    at = end + (match?.[0].length ?? 0);
  }
  return found;
}

const clause = /^(?:please|pls|kindly)\s|\s(?:is|are|was|were|isn['’]t|aren['’]t|wasn['’]t)(?:\s|$)/iu;

const separator =
  /\s*,\s*(?:and\s+|or\s+|plus\s+|esp(?:ecially)?\s+)?|\s+(?:and|or|&|plus|esp|especially)\s+/giu;

function list(written: string, most: number): readonly Piece[] {
  // "Everything, especially nuts and soy".
  const text = written.replace(/^\s*everything,?\s+(?:especially|including|mostly)(?=\s)/i, (all) =>
    " ".repeat(all.length),
  );
  if (vague.test(text.trimStart())) return [];
  // "Electronic and rock music" shares its noun.
  if (shared.test(text)) return one(text, 6);
  const found = pieces(text);
  // "Throwing on some music, pouring a glass of wine" goes on telling.
  if (
    found.length > 1 &&
    !/\s(?:and|or|&)\s/i.test(text) &&
    found.every(({ text: piece }) => /^\p{L}+ing\s/u.test(piece))
  )
    return [];
  if (found.length > 1 && !foremost.test(text) && isOne(found, text)) return one(text, most);
  // "Walking in the rain and listening to the birds outside of my window" is better whole or not at all.
  const fits = found.every(
    (piece) => wordsOf(piece.text.replace(/^(?:a|bit|little|some)\s+(?:bit\s+)?of\s+/i, "")) <= 4,
  );
  if (found.length > 1 && fits) return found.map(withoutMeasure);
  return found.length === 1 && found[0] !== undefined && wordsOf(found[0].text) <= most
    ? [withoutMeasure(found[0])]
    : [];
}

/** Whether what looks like a list is one thing: "hot and sticky weather", "going to museums or parks", "shows with blood or ghosts". */
function isOne(pieces: readonly Piece[], text: string): boolean {
  const [first, ...others] = pieces.map(({ text: piece }) => piece);
  const last = others.at(-1) ?? "";
  if (first === undefined) return false;
  const either = /\sor\s/i.test(text);
  const commas = !/\s(?:and|or|&)\s/i.test(text);
  const plain = [first, ...others.slice(0, -1)].every((piece) => !piece.includes(" "));
  return (
    (plain && last.includes(" ") && (describing.test(first) || (commas && others.length === 1))) ||
    (/^\p{L}+ing\s/u.test(first) && others.some((piece) => !/^\p{L}+ing\b/u.test(piece))) ||
    [first, ...others.slice(0, -1)].some((piece) =>
      /\s(?:with|in|of|for|from|about|on|at|by)\s/i.test(piece),
    ) ||
    (either && first.includes(" ") && !last.includes(" "))
  );
}

// "Cats and, mildly, dogs".
const aside =
  /^(?:mildly|slightly|badly|sadly|luckily|sometimes|occasionally|especially|weirdly|oddly|\p{L}{3,}(?:al|ar|ent|ous|ful|ate|ess|ib|ab)ly)$/iu;

const describing =
  /^(?:hot|cold|warm|humid|modern|traditional|classic|classical|minimalist|alternative|indie|acoustic|electronic|detective|crime|sweet|salty|spicy|sour|bitter|fast|slow|loud|quiet|bright|dark|light|bold|long|short|small|large|big|old|new|simple|complex|clear|fresh|raw|healthy|cheap|historical|local|natural|red|blue|green|white|black|yellow|purple|pink|orange|brown|gr[ae]y|gold|silver|\p{L}+(?:ous|ful|less|able|ible|ated|ish))$/iu;

const shared =
  /^\s*(?![\p{L}]+ing\b)[\p{L}-]+\s+(?:and|or|&)\s+(?!(?:board|video|card|computer|comic|science)\b)[\p{L}-]+\s+(?:music|movies?|films?|games?|food|books?|novels?|flavors?|dishes|cuisine|art|songs?|shows?|stories|sports|clothes|cars|history)\s*[.,!]?$/iu;

/** "A bit of Dutch" is "Dutch". */
function withoutMeasure(piece: Piece): Piece {
  const lead =
    /^(?:(?:a )?(?:little |fair |good |tiny )?(?:bit|little|lot|lots|amount) of|(?:(?:a|one) )?(?:single )?word of|some|both|only|mostly|lots of|plenty of|(?:forms?|kinds?|types?|sorts?) of|(?:way )?too (?:much|many)|all kinds of)\s+/i.exec(
      piece.text,
    )?.[0].length ?? 0;
  return { text: piece.text.slice(lead), at: piece.at + lead };
}

const capital = String.raw`\p{Lu}[\p{L}\p{M}\p{N}'’.&-]*`;
const run = new RegExp(
  String.raw`^\s*(?:the\s+|The\s+)?(${capital}(?:\s+(?:(?:of|de|da|do|di|del|la|le|van|der|den|upon|and|y|e|&)\s+(?:the\s+|la\s+)?)?${capital}|\s+\d{1,4}(?=\s|$|[.,!?]))*)`,
  "u",
);

/** Words with capitals from the beginning. */
function capitals(text: string): Piece | undefined {
  const match = run.exec(text);
  const [whole = "", name = ""] = match ?? [];
  if (name === "") return undefined;
  const cut = name.replace(/['’]s?$/, "").replace(/[.'’]+$/, "");
  return { text: cut, at: whole.length - name.length };
}

const fewPlaces =
  /^(?:fear|management|leadership|accounting|engineering|product|design|hr|electric|vegan|linux|windows|phase|step|mode|peace|hope|love|harmony|pain|sin|hell|heaven|squalor|poverty|luxury|town|there|here|it|denial|dorms?|student|downtown|person|general|place|case|fact|my|a|an|the|this|that|our|your|his|her|their|these|those|mind|constant|strange|isolation|silence|two|three|different|old|apartment|college|high|business|finance|tech|retail|sales|marketing|bed|with|about|on|at|by|and|or|one|another|in)$/i;

// Towns that are called like other things.
const homonyms = wordSet("reading nice bath mobile deal hope battle rugby");

const countries =
  wordSet(`usa england scotland wales ireland france germany spain italy portugal netherlands belgium austria
  switzerland poland sweden norway denmark finland iceland greece turkey russia ukraine romania hungary croatia serbia bulgaria
  china japan taiwan india pakistan nepal thailand vietnam indonesia malaysia philippines australia canada mexico brazil
  argentina chile peru colombia cuba egypt morocco kenya nigeria ethiopia ghana israel jordan iran iraq europe asia africa`);
const regionPattern = new RegExp(String.raw`^,\s+(${capital}(?:\s+${capital})*)`, "u");
const regions =
  wordSet(`ontario quebec alberta manitoba victoria queensland tasmania bavaria saxony tuscany sicily catalonia
  andalusia brittany normandy provence wales cornwall yorkshire kerala goa punjab bali montserrat senegal ohio iowa kansas
  michigan minnesota montana nebraska oklahoma pennsylvania tennessee utah vermont virginia wisconsin wyoming georgia idaho
  illinois indiana kentucky louisiana maine maryland massachusetts mississippi missouri alabama arkansas connecticut delaware`);

/** A place by its name: "Berlin", "Portland, Oregon", "the Netherlands", "upstate New York". */
export const place: ObjectReader = (text, { lowerCase }) => {
  const lead =
    /^\s*(?:(?:downtown|central|upstate|northern|southern|eastern|western|rural|suburban|north|south|east|west|near|(?:just |right )?outside(?: of)?|the (?:city|town|village|suburbs|outskirts|state) of)\s+)?/.exec(
      text,
    )?.[0].length ?? 0;
  const named = capitals(text.slice(lead));
  if (named !== undefined) {
    const first = named.text.split(/\s/)[0]?.toLowerCase() ?? "";
    // "The Scottish Highlands".
    const region = /^\s*the\s+$/.test(text.slice(0, lead + named.at)) && named.text.includes(" ");
    if (notNames.has(first) && !region && !knownPlaces.has(named.text.toLowerCase()) && !homonyms.has(first))
      return [];
    const end = lead + named.at + named.text.length;
    const beyond = regionPattern.exec(text.slice(end));
    const within = (beyond?.[1] ?? "").replace(/[.]$/, "");
    // "The Dublin office" is no town.
    if (/^\s+(?:office|branch|team|site|department|store|campus|airport|station)\b/.test(text.slice(end)))
      return [];
    // "Morocco, Egypt and Kenya" lie side by side.
    const after = text.slice(end + (beyond?.[0].length ?? 0));
    const beside =
      countries.has(named.text.toLowerCase()) ||
      /^(?:,\s+(?:and\s+)?|\s+and\s+)(?!I['’ ])\p{Lu}/u.test(after);
    // "I live in Graz, Linz is where the office is".
    const joined =
      !beside &&
      !/^\s+(?:is|was|has)\s/.test(after) &&
      (knownPlaces.has(within.toLowerCase()) ||
        /^[A-Z]{2}$/.test(within) ||
        regions.has(within.toLowerCase()));
    const stop = joined && within !== "" ? end + (beyond?.[0].indexOf(within) ?? 0) + within.length : end;
    return [{ text: text.slice(lead + named.at, stop).replace(/[.]$/, ""), at: lead + named.at }];
  }
  const word = /^\s*([\p{L}-]+(?: (?:city|york|angeles|francisco|kong|delhi|kingdom|states))?)/u.exec(
    text.slice(lead),
  );
  const [whole = "", name = ""] = word ?? [];
  // In lower case, "us" is we and "turkey" a bird.
  const known =
    knownPlaces.has(name.toLowerCase()) &&
    !/^(?:us|uk|eu|turkey|china|jordan|chile|phoenix|florence|victoria|austin|denver|dallas|houston|virginia|georgia|alexandria|sydney|milan)$/.test(
      name,
    );
  if (name === "" || !(known || (lowerCase && !fewPlaces.test(name) && !notNames.has(name)))) return [];
  return [{ text: name, at: lead + whole.length - name.length }];
};

/** Places side by side: "Rome and Naples", "Portland, Oregon". */
export const places: ObjectReader = (text, options) => {
  const found: Piece[] = [];
  let at = 0;
  for (let i = 0; i < 6; i++) {
    const lead =
      i === 0
        ? 0
        : (/^(?:\s+(?:once|twice|(?:two|three|four|\d) times))?\s*(?:,\s*(?:and\s+)?|and\s+|&\s+)(?:to\s+|in\s+)?/.exec(
            text.slice(at),
          )?.[0].length ?? -1);
    const [next] = lead < 0 ? [] : place(text.slice(at + lead), options);
    if (next === undefined || (i > 0 && next.at > 5)) break;
    // "Rome and Naples" is read as one name.
    const [head = "", ...others] = next.text.split(/\s+(?:and|&)\s+/);
    let from = at + lead + next.at;
    found.push({ text: head, at: from });
    for (const other of others) {
      from = text.indexOf(other, from);
      found.push({ text: other, at: from });
    }
    at = at + lead + next.at + next.text.length;
  }
  return found;
};

const notWork =
  wordSet(`home night nights least first last times heart hand work all present this that the a an my our your its
  his her it hard harder fine well remotely out on from with as in for once noon weekends day days hours free fun money
  myself ourselves himself herself them him me us you someone years months weeks ages now long hire tips nothing
  minimum better clients people one two three four five six seven eight nine ten`);

/** A company, a school, a "small bakery". */
export const organisation: ObjectReader = (written, { lowerCase }) => {
  // "A little nonprofit called Second Shelf".
  const called = /^\s+an?\s[\p{L} -]{2,40}?\s(?:called|named)(?=\s+\p{Lu})/u.exec(written)?.[0].length;
  if (called !== undefined) {
    const named = capitals(written.slice(called));
    return named === undefined ? [] : [{ text: named.text, at: named.at + called }];
  }
  const text = written.replace(/^\s+the same(?=\s)/i, (lead) => `${" ".repeat(lead.length - 4)} the`);
  const named = capitals(text);
  if (named !== undefined) {
    const name = ownName(named, text).replace(/\s+(?:as|in|at|and I)$/, "");
    return notNames.has(name.toLowerCase()) && !/^[A-Z]{2,}$/.test(name)
      ? []
      : [{ text: name, at: named.at }];
  }
  if (/^\s*(?:an?|the|our)\s/i.test(text)) {
    const [found] = nounPhrase(text);
    return found === undefined ||
      /^(?:moment|same|time|end|weekend|office|field|evening|morning|project|degree|promotion|living|while|bit|long|different|new|deadline|solution|way|problem|bug|desk|company|job|place|best|better|top|local level|lot|few|couple|day|week|month|year|team|plan|budget|report|paper|presentation|gym)\b(?!.*\b(?:mill|factory|shop|store|company|firm|centre|center|school|agency|studio|plant|farm|clinic|restaurant|bakery|warehouse|hotel|office)$)/i.test(
        found.text,
      )
      ? []
      : [found];
  }
  const word =
    /^\s*([\p{L}\p{N}][\p{L}\p{N}&-]*(?: (?:state|tech|university|college|uni|bank))?)(?![\p{L}-])/u.exec(
      text,
    );
  const [whole = "", name = ""] = word ?? [];
  return lowerCase && name.length > 1 && !notWork.has(name) && !/ing$/.test(name)
    ? [{ text: name, at: whole.length - name.length }]
    : [];
};

/** "St George's" is called so; of "Google's headquarters", Google is. */
function ownName({ text: name, at }: Piece, text: string): string {
  const short =
    /^['’]s(?=\s*(?:$|[.,!?;)]|(?:and|but|as|in|on|at|near|for|since|where|which|until|from|right|now)\b))/.exec(
      text.slice(at + name.length),
    );
  const office = /^(.+?)['’]s\s/.exec(
    /^\s+(?:office|branch|team|site|store|headquarters|campus)\b/.test(text.slice(at + name.length))
      ? name
      : "",
  );
  const kind =
    /^['’]s(?:\s+(?:primary|secondary|high|middle|elementary|grammar|boarding|girls['’]?|boys['’]?))*\s+(?:school|college|hospital|church|nursery|academy|hospice)\b/i.exec(
      text.slice(at + name.length),
    );
  return office?.[1] ?? name + (kind?.[0] ?? short?.[0] ?? "");
}

function nounPhrase(text: string): readonly Piece[] {
  return one(
    until(
      until(text, stops),
      /\s+(?:and|with|without|for|in|on|at|from|by|to|into|about|near|as|called|named|based|where|every|doing|is|are|was|were|has|right|downtown)(?![\p{L}-])|,/iu,
    ),
    5,
  );
}

/** What somebody does for a living, when the words name an occupation: "senior data analyst". */
export const occupation = (text: string): readonly Piece[] => {
  if (!/^\s*(?:an?|the)\s/i.test(text)) return [];
  // "The CTO of a startup" is a CTO.
  const [found] = nounPhrase(until(text, /\sof (?:an?|the|my|our)\s/i));
  // "A 21-year-old paramedic".
  const years = /^\d{1,2}[- ]year[- ]old\s+/i.exec(found?.text ?? "")?.[0].length ?? 0;
  return found !== undefined && isOccupation(found.text)
    ? [{ text: found.text.slice(years), at: found.at + years }]
    : [];
};

/** Whatever stands after "work as". */
export const role = (text: string): readonly Piece[] => {
  const found = nounPhrase(text);
  return found.some(
    (piece) =>
      (!/^\s+(?:an?|the|our)\s/i.test(text) &&
        !isOccupation(piece.text) &&
        !/\b(?:lead|head)\b/i.test(piece.text)) ||
      /^(?:hard|fast|much|long|team(?! lead)|result|well|part|usual|expected|one|matter|whole|follows?|member)\b/i.test(
        piece.text,
      ),
  )
    ? []
    : found;
};

const personPattern = new RegExp(
  String.raw`^\s*((?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?${capital}(?:\s+${capital}){0,2})`,
  "u",
);

/** The name of a person: up to three words with capitals. */
export const person: ObjectReader = (text, { lowerCase }) => {
  const match = personPattern.exec(text);
  const [whole = "", name = ""] = match ?? [];
  const bare = name.replace(/['’]s?$/, "").replace(/[.'’]+$/, "");
  const first =
    bare
      .replace(/^(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+/, "")
      .split(/\s/)[0]
      ?.toLowerCase() ?? "";
  if (name !== "" && !notNames.has(first) && bare.length > 1)
    return [{ text: bare, at: whole.length - name.length }];
  const lower = lowerCase ? /^\s*(\p{Ll}{2,20})\s*(?:[.,!?;]|$|and\s)/u.exec(text) : null;
  const word = lower?.[1] ?? "";
  return word === "" || notNames.has(word) || /(?:ing|ed|ly)$/.test(word)
    ? []
    : [{ text: word, at: (lower?.[0] ?? "").indexOf(word) }];
};

/** A value as it was given: "$500", "March 3", "12 people". Dates stay. */
export const value = (written: string): readonly Piece[] => {
  // "47 and nothing in the shops fits".
  const text = /^\S*\d/.test(written) ? until(written, /\s+and\s+(?!\d|a half|half|a quarter)/i) : written;
  const cut = until(
    text,
    /[!?;…()\n]|[.](?=\s|$)|\s[-–—]\s|,?\s+(?:but|because|so|although|though|since|which|when|while|where|if|and (?:i|we|it|my|the|that|this|he|she|they|now|then|also|is|has|was|can|need|want|will)|as|per our|for|until|till|including|excluding|plus|all in|net|gross|if|in (?:mind|the|my|our|a)|instead|now|not|after|before|during|under|with|compared|by|to(?= \p{Ll})|starting|effective|from|at(?= (?!\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|half|quarter|midnight)))(?![\p{L}-])|,\s+(?=\p{Ll})/iu,
  );
  return one(cut, 6);
};

/** What is planned: a verb phrase with its objects. */
export const deed = (text: string): readonly Piece[] => {
  const cut = until(
    text,
    /(?<!(?:^|[\s.])(?:\p{Lu}|St|Dr|Mr|Mrs|Ms|Mt))[.](?=\s|$|[."”’)])|[!?;:…()\n]|\s[-–—]+\s|—|,?\s+(?:but|because|so|although|though|since|however|which|when|whenever|while|if|unless|until|till|as soon|after|before|instead|rather than|and (?:i|we|it|my|the|that|this|he|she|they|you|then|now|want|need|hope|hoping|would|was|am|i['’]m|it['’]s))(?![\p{L}'’-])|,\s/iu,
  );
  const piece = trim(cut, 0);
  return piece === undefined || !/^\p{L}{2,}/u.test(piece.text) || wordsOf(piece.text) > 9 ? [] : [piece];
};
