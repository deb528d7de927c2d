import { beverages } from "./habits.ts";
import { inTurn, nounsInTurn } from "./lists.ts";
import { deed, nouns, type Piece, phrase, type ReadOptions, thing, things, thingsAlone } from "./objects.ts";
import {
  type Draft,
  type Effect,
  ending,
  event,
  lasting,
  now,
  ongoing,
  type Rule,
  type RuleContext,
  verbRule,
} from "./rule.ts";
import { isSubject } from "./study.ts";
import { wordSet } from "./words.ts";

const languages =
  wordSet(`english spanish french german italian portuguese dutch russian chinese mandarin cantonese japanese korean
  arabic hindi urdu bengali punjabi tamil telugu turkish greek polish czech slovak hungarian romanian bulgarian serbian croatian
  ukrainian swedish norwegian danish finnish icelandic irish welsh hebrew persian farsi swahili amharic yoruba igbo hausa zulu
  afrikaans thai vietnamese indonesian malay tagalog filipino catalan basque galician latin esperanto asl bsl nepali sinhala
  marathi gujarati kannada malayalam mongolian tibetan georgian armenian albanian latvian lithuanian estonian`);

// Programs, languages and frameworks by their names, for those who write all in lower case.
const tools =
  wordSet(`vim neovim emacs vscode vs code sublime intellij pycharm eclipse xcode git github gitlab docker kubernetes
  python javascript typescript rust go golang java kotlin swift ruby php perl scala haskell c c++ c# r matlab sql postgres
  postgresql mysql sqlite mongodb redis kafka react vue angular svelte nextjs next.js django flask fastapi rails laravel spring
  express node node.js deno bun excel notion obsidian evernote slack teams zoom trello jira asana todoist figma sketch photoshop
  illustrator lightroom blender unity unreal linux ubuntu debian fedora arch windows macos mac ios android chrome firefox safari
  brave edge duckduckgo gmail outlook spotify netflix tmux zsh bash fish zotero latex terraform ansible aws azure gcp heroku
  vercel netlify npm pnpm yarn webpack vite jest vitest pytest tailwind bootstrap graphql spacy pandas numpy pytorch tensorflow
  procreate ableton premiere lightroom canva indesign autocad solidworks rhino sketchup revit scrivener airtable logseq anki
  duolingo babbel wanikani strava zwift ynab quickbooks xero shopify squarespace wordpress wix mailchimp hubspot salesforce
  stripe paypal revolut monzo whatsapp signal telegram discord mastodon bluesky kindle fitbit chatgpt claude gemini copilot
  cursor zed nixos supabase firebase powerpoint onenote onedrive dropbox trello asana basecamp clickup miro confluence jenkins
  grafana prometheus datadog sentry elasticsearch rabbitmq nginx celery pycharm rstudio stata spss julia zig elixir erlang
  linear clojure lua dart flutter htmx astro remix nuxt prisma drizzle bash fortran cobol vba wsl chromebook ipad iphone macbook
  android snowflake dbt airflow spark hadoop tableau looker bitbucket subversion mercurial helm pulumi cloudflare powershell`);

const titles =
  /^(?:capture one|final cut(?: pro)?|logic(?: pro)?|pro tools|da ?vinci(?: resolve)?|google (?:docs|sheets|drive|calendar|maps|keep)|apple (?:notes|watch|music|calendar)|power ?bi|fusion 360|home assistant|adobe \p{L}+|microsoft \p{L}+|ms (?:word|excel|office|teams)|libre ?office|open ?office|proton ?mail|fl studio|after effects|sublime text|vs code|visual studio(?: code)?|android studio|ruby on rails|node js|next js|react native|github copilot|raspberry pi|steam deck|linux mint|arch linux|(?:kali|alpine|red hat|rocky|manjaro) linux|pop!?_?os)$/iu;
const version = /\s+v?\d+(?:\.\d+)*$/i;

/** Languages, skills and tools. */
export const skillRules: readonly Rule[] = [
  verbRule({
    ...{
      name: "speaks",
      verbs: "speak",
      after: /(?:\s+(?:fluent|some|a little|basic|good|native)|\s+\p{L}+ languages\s*[:,–-])?/iu,
      predicate: "speaks",
      object: thingsAlone,
      timing: "none",
    },
    effect: speaking,
    accepts: ({ text }, { lowerCase }) => isLanguage(text) || (!lowerCase && isTongue(text)),
  }),
  verbRule({
    ...{
      name: "fluent in",
      verbs: "be",
      after: /\s+(?:completely |totally )?fluent\s+in\b/i,
      predicate: "speaks",
      object: things,
      effect: lasting,
      timing: "none",
    },
    accepts: ({ text }) => isLanguage(text),
  }),
  verbRule({
    ...{ name: "learning", verbs: "learn", predicate: "learning", object: learnt, timing: "state" },
    effect: ({ phrase: { progressive, mode, negated, begun } }) =>
      mode === "ended" && !negated
        ? { change: "end" }
        : (progressive || begun) && mode === "holds" && !negated
          ? {}
          : undefined,
    accepts: ({ text }) =>
      !/^(?:how|more|new|from|to (?!\w+ |(?:sail|ski|surf|swim|drive|knit|sew|cook|bake|dance|sing|draw|paint|ride|juggle|skate|snowboard|dive|fly|crochet|code|weld|fish|climb|box|type|garden|read|write|meditate)$)|that|lots|a|so|what)\b/i.test(
        text,
      ) &&
      text.split(/\s+/).length <= 4 &&
      !/\b(?:lessons?|things?|techniques?|skills?|concepts?|strategies|ways)$/i.test(text),
  }),
  verbRule({
    // "I'm teaching myself guitar".
    ...{
      name: "teaches oneself",
      verbs: "teach",
      after: /\s+(?:my|him|her)self(?:\s+(?:how )?(?=to\b))?/i,
      predicate: "learning",
    },
    ...{ object: learnt, timing: "none" },
    effect: ({ phrase: { progressive, mode, negated } }) =>
      progressive && mode === "holds" && !negated ? {} : undefined,
    accepts: ({ text }) => text.split(/\s+/).length <= 4 && !/^(?:how|that|what|new|some|not)\b/i.test(text),
  }),
  verbRule({
    ...{ name: "trying to learn", verbs: "try", after: /\s+to learn\b/i, predicate: "learning" },
    ...{ object: learnt, timing: "none" },
    effect: ({ phrase: { progressive, mode, negated } }) =>
      progressive && mode === "holds" && !negated ? {} : undefined,
    accepts: ({ text }) =>
      isLanguage(text) || isTool(text) || /^(?:the )?(?:piano|guitar|violin|cello|drums|chess)$/i.test(text),
  }),
  verbRule({
    ...{ name: "takes lessons", verbs: "take have", predicate: "learning", object: lessons, timing: "none" },
    effect: ({ phrase: { progressive, begun, mode, negated } }) =>
      (progressive || begun) && mode === "holds" && !negated ? {} : undefined,
  }),
  verbRule({
    ...{
      name: "knows how to",
      verbs: "know",
      after: /\s+how\s+to\b/i,
      predicate: "skilled_in",
      object: deed,
      effect: lasting,
      timing: "none",
      accepts: able,
    },
    when: ({ clause: { phrase } }) => !phrase.negated,
  }),
  verbRule({
    ...{
      name: "good at",
      verbs: "be",
      predicate: "skilled_in",
      object: things,
      effect: skilled,
      timing: "none",
    },
    after:
      /\s+(?:really |pretty |quite |very |also |so )*(?:good|great|skilled|experienced|proficient|talented|decent|handy|competent)\s+(?:at|in|with|on)(?:\s+an?)?\b/i,
    accepts: ({ text }) =>
      text.split(/\s+/).length <= 4 &&
      !/^(?:that|this|it|what|making|keeping|remembering|my|the|Google|\p{Lu}\p{Ll}+ \p{Lu})\b/u.test(text) &&
      /^\p{L}+(?: \p{L}+)?$/u.test(text) &&
      !/^circular\b/.test(text),
  }),
  verbRule({
    ...{ name: "knows", verbs: "know", predicate: "knows", effect: lasting, timing: "none" },
    ...{
      after:
        /(?:\s+my way around)?(?:\s+(?:an? )?(?:fair |good |little |tiny )?(?:bit|amount) of|\s+(?:some|only|enough|a little|basic))?/i,
    },
    object: nounsInTurn(isTool),
  }),
  verbRule({
    // "I know some Japanese".
    ...{ name: "knows a language", verbs: "know", predicate: "speaks", effect: lasting, timing: "none" },
    ...{
      after:
        /(?:\s+(?:an? )?(?:fair |good |little |tiny )?(?:bit|amount) of|\s+(?:some|only|enough|a little|basic))?/i,
      object: nounsInTurn(isLanguage),
    },
  }),
  verbRule({
    // "I'm trilingual: Dutch, French and English".
    ...{ name: "is bilingual", verbs: "be", predicate: "speaks", effect: now, timing: "none" },
    ...{ after: /\s+(?:bi|tri|multi)lingual\s*(?:[:,(–-]|in\b)/i, object: nounsInTurn(isLanguage) },
  }),
  { verbs: ["be"], read: rated },
  verbRule({
    ...{ name: "uses", verbs: "use", predicate: "uses", object: used, effect: lasting },
    accepts: ({ text, at }, { lowerCase, clause, rest }) =>
      // "I'm using Chrome on Windows and the page won't load", "I'm using Python 3.10" are of the task at hand.
      (!clause.phrase.progressive ||
        clause.phrase.perfect ||
        clause.phrase.mode !== "holds" ||
        (!/\d\.\d/.test(rest) &&
          /^\s*(?:$|[.!,](?!\s+(?:but|so|and i)\b)|and\s+\S+\s*(?:$|[.!])|(?:for|now|at)\b)/iu.test(
            rest.slice(at + text.length),
          ))) &&
      (isTool(text) ||
        isAid(text) ||
        (!lowerCase && /^i?\p{Lu}[\p{L}\d.+#-]+(?: [\p{Lu}\d][\p{L}\d.+#-]*)?$/u.test(text))),
  }),
  verbRule({
    // "We're on Postgres 14 and Node 20", "I'm on Linux".
    ...{
      name: "is on a system",
      verbs: "be",
      after: /\s+(?:still |mostly |currently |now |all )*on\b/i,
      predicate: "uses",
    },
    ...{ object: nounsInTurn(isTool), effect: now },
    accepts: ({ text }, { whole, sentence }) =>
      !/\b(?:and|but) (?:the|my|it|i|this|when|every)\b/i.test(sentence) &&
      !platforms.test(text) &&
      !/^\s+on\s+(?:\p{L}+ )?(?:an?|the|my|our)\s+(?:call|team|project|ticket|branch|page|line)/iu.test(
        whole,
      ),
    when: ({ clause: { phrase: verb } }) => !verb.progressive,
  }),
  verbRule({
    // "I've been learning Korean on Duolingo".
    ...{ name: "learns with", verbs: "learn study practise practice", predicate: "uses", timing: "none" },
    ...{
      after: /\s+(?:[\p{L}-]+\s+){1,4}?(?:on|with|via|using|through)\b/iu,
      object: nounsInTurn(isTool),
      effect: ongoing,
    },
  }),
  verbRule({
    // "As a photographer I edit everything in Capture One".
    ...{
      name: "works in a program",
      verbs: "do edit draw design animate record write model track plan budget keep mix illustrate",
      predicate: "uses",
    },
    ...{
      after: /(?:\s+(?:everything|all|(?:all )?my [\p{L}-]+))?\s+(?:in|with|on)\b/iu,
      object: nounsInTurn(isTool),
      timing: "none",
    },
    effect: now,
    // "I write in Rust" knows it.
    when: ({ clause: { phrase: verb }, rest }) =>
      !verb.progressive &&
      (!/^(?:do|write|plan|track|keep|model)$/.test(verb.lemma) || !/^\s+(?:in|with|on)\b/i.test(rest)),
  }),
  verbRule({
    ...{
      name: "runs",
      verbs: "run",
      predicate: "uses",
      object: nounsInTurn(
        (text) =>
          isTool(text) &&
          /linux|ubuntu|debian|arch|fedora|windows|macos|nixos|home assistant|android|_os/i.test(text),
      ),
      effect: now,
      who: "user",
    },
    when: ({ clause: { phrase: verb } }) => !verb.progressive,
  }),
  verbRule({
    // "Cancelled Disney+", "got rid of Foxtel".
    ...{
      name: "cancelled",
      verbs: "cancel ditch drop dump get",
      predicate: "uses",
      object: (text) => nouns(text.replace(/\s(?:subscription|account|membership|app|plan)\b.*$/is, "")),
      effect: ending,
    },
    after: /(?:\s+rid\s+of)?(?:\s+my)?/i,
    when: ({ clause: { phrase: verb }, rest }) => verb.lemma !== "get" || /^\s+rid\s+of\b/i.test(rest),
    accepts: ({ text }) => subscriptions.test(text) || platforms.test(text) || isTool(text),
  }),
  verbRule({
    // "Uninstalled Instagram".
    ...{
      name: "uninstalled",
      verbs: "uninstall delete quit leave",
      predicate: "uses",
      object: nouns,
      effect: ending,
    },
    accepts: ({ text }, { clause }) =>
      isTool(text) || platforms.test(text) || (clause.phrase.lemma === "uninstall" && /^\p{Lu}/u.test(text)),
  }),
  {
    ...verbRule({
      // "I gave up on Duolingo".
      ...{
        name: "gave up on",
        verbs: "give",
        after: /\s+on\b/i,
        predicate: "uses",
        object: nounsInTurn(isTool),
        effect: ending,
      },
    }),
    verbs: ["give up"],
  },
  verbRule({
    // "I'm not on Facebook anymore".
    ...{ name: "is on a platform", verbs: "be", after: /\s+on\b/i, predicate: "uses", object: nouns },
    effect: (clause) =>
      clause.phrase.mode === "ended" && !clause.phrase.negated ? { change: "end" } : undefined,
    accepts: ({ text }) => platforms.test(text),
  }),
  verbRule({
    ...{ name: "runs a system", verbs: "be", predicate: "uses", object: system, timing: "none", effect: now },
    who: "user",
  }),
  verbRule({
    ...{ name: "uses beside", verbs: "use", predicate: "uses", object: nounsBeside, effect: lasting },
    when: ({ clause: { phrase } }) => !phrase.progressive,
    accepts: ({ text }) => isTool(text),
  }),
  {
    verbs: ["switch", "change", "migrate", "upgrade", "move", "replace", "ditch", "swap", "transfer"],
    read: switched,
  },
  verbRule({
    // "I write Python for a living".
    ...{
      name: "writes",
      verbs: "write",
      predicate: "knows",
      object: nounsInTurn(isTool),
      effect: now,
      timing: "none",
    },
    when: ({ clause: { phrase: verb } }) => !verb.progressive,
  }),
  verbRule({
    ...{
      name: "codes in",
      verbs: "code program develop write",
      after: /\s+(?:mostly |mainly |code |software |everything )?in\b/i,
      predicate: "knows",
      object: nounsInTurn(isTool),
      effect: now,
      timing: "none",
    },
    accepts: ({ text }) => isTool(text),
  }),
];

const subscriptions =
  /^(?:netflix|spotify|hulu|disney(?: plus|\+)?|hbo(?: max)?|prime|amazon prime|audible|apple tv(?:\+)?|apple music|youtube premium|now tv|sky(?: sports)?|foxtel|stan|paramount(?:\+)?|crunchyroll|hellofresh|substack|tidal|deezer|xbox game pass|playstation plus|peloton|classpass)$/i;

/** What one gets about, hears and sees with. */
function isAid(text: string): boolean {
  return /^(?:\p{L}+ )?(?:wheelchair|walking stick|cane|walking frame|rollator|hearing aids?|screen ?reader|insulin pump|cpap(?: machine)?|inhaler|white cane|crutches|stairlift|mobility scooter|prosthe(?:sis|tic)|glucose monitor|mac|pc|chromebook|macbook|ipad|iphone|android(?: phone)?|dexcom|libre)$/iu.test(
    text,
  );
}

/** What is used, one after the other: "a Mac at work but Windows at home". */
function used(text: string, options: ReadOptions): readonly Piece[] {
  return inTurn(nouns, (piece) => isTool(piece.text) || isAid(piece.text) || /^i?\p{Lu}/u.test(piece.text))(
    text,
    options,
  );
}

const platforms =
  /^(?:facebook|instagram|insta|twitter|tiktok|tik tok|snapchat|reddit|tinder|hinge|bumble|whatsapp|telegram|discord|linkedin|duolingo|youtube|pinterest)(?: app)?$/i;

/** "My Hindi is better than my English", "my native language is Welsh", "I'm a native speaker of Welsh". */
function rated({ clause: { phrase: verb }, subject, whole }: RuleContext): readonly Draft[] {
  if (verb.mode !== "holds" || verb.negated || verb.progressive) return [];
  const speaks = {
    subject: subject.text,
    predicate: "speaks",
    timing: "none",
    reason: "mother tongue",
  } as const;
  const native =
    /^\s+an?\s+(?:native|fluent)\s+(\p{Lu}\p{L}+)[\s-]+speaker\b|^\s+an?\s+native\s+speaker\s+of\s+(\p{Lu}\p{L}+)/u.exec(
      whole,
    );
  const language = native?.[1] ?? native?.[2];
  if (subject.kind !== "attribute")
    return language === undefined || !isLanguage(language) ? [] : [{ ...speaks, object: language }];
  if (
    subject.impersonal === true ||
    !/^(?:native language|first language|mother tongue|native tongue|mother language)$/i.test(
      subject.attribute ?? "",
    )
  )
    return [];
  return thingsAlone(whole)
    .filter(({ text }) => isLanguage(text))
    .map(({ text }) => ({ ...speaks, object: text }));
}

/** "Vim" of "I've been a Vim user for years". */
function system(text: string): readonly Piece[] {
  const found =
    /^\s+an?\s+(?:(?:big|long-?time|heavy|happy|loyal|daily) )*([\p{L}+#.]+(?: [\p{L}+#.]+)?) user\b/iu.exec(
      text,
    )?.[1];
  return found === undefined || !isTool(found) ? [] : [{ text: found, at: text.indexOf(found) }];
}

/** Redis of "PostgreSQL in production, and Redis for queues". */
function nounsBeside(text: string): readonly Piece[] {
  const more = /,?\s+and\s+(?=\p{Lu})/u.exec(text);
  const at = (more?.index ?? 0) + (more?.[0].length ?? 0);
  return more === null ? [] : nouns(text.slice(at)).map((piece) => ({ ...piece, at: piece.at + at }));
}

/** "Coding from me" is coding; of a deed, what stands after a comma is something else. */
function learnt(text: string): readonly Piece[] {
  if (/^\s+to\s/i.test(text)) return deed(text.replace(/,.*$|\s+(?:at|with|from|on)\s.*$/is, ""));
  return things(text.replace(/\s+(?:from|on|with|through|via|using|at|by|coming|before|so)\s.*$/is, ""));
}

/** "Spanish" of "Spanish lessons". */
function lessons(text: string): readonly Piece[] {
  const match =
    /^\s+(?:(?:an?|some|private|online|weekly|beginner|evening|group)\s+)*([\p{L}-]+(?: [\p{L}-]+)?) (?:lessons|classes)\b/iu.exec(
      text,
    );
  const [whole = "", what = ""] = match ?? [];
  return what === "" ||
    /^(?:the|my|these|those|two|three|four|five|six|different|all|any|more|other)\b/i.test(what)
    ? []
    : [{ text: what, at: whole.indexOf(what) }];
}

function speaking(clause: RuleContext["clause"]): ReturnType<Effect> {
  const { phrase: verb } = clause;
  if (verb.progressive) return undefined;
  if (verb.able && verb.mode === "holds") return verb.negated ? { affirmed: false } : {};
  return lasting(clause);
}

function skilled(clause: RuleContext["clause"]): ReturnType<Effect> {
  return clause.phrase.mode === "holds" && !clause.phrase.negated ? {} : undefined;
}

function able(object: Piece): boolean {
  return (
    !/\b(?:that|this|it|you|your|them|proceed|start|do)\b/i.test(object.text) &&
    object.text.split(/\s+/).length <= 5
  );
}

export function isLanguage(text: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  return (
    words.length <= 3 &&
    (languages.has(words.at(-1) ?? "") || /(?:^| )sign language$/.test(text.toLowerCase())) &&
    !/^(?:better|worse|more|less|perfect|broken)$/.test(words[0] ?? "")
  );
}

/** "Cape Verdean Creole": with capitals, and by its ending. */
function isTongue(text: string): boolean {
  return (
    /^\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+){0,2}$/u.test(text) &&
    /(?:ese|ish|ian|ic|an|ole|i|gin|ois|lish)$/.test(text)
  );
}

export function isTool(text: string): boolean {
  const name = text.replace(version, "");
  if (titles.test(name)) return true;
  // "Node 20" can be nothing else.
  if (name !== text) return tools.has(name.toLowerCase());
  return (
    tools.has(text.toLowerCase()) &&
    !/^(?:go|c|r|express|edge|teams|fish|arch|code|sketch|notion|spring|slack|unity|mac|chrome|bootstrap|illustrator|swift|rust|node|brave)$/.test(
      text,
    )
  );
}

const schools = /\b(?:University|College|School|Academy|Institute)\b/;

/** "I switched from Chrome to Firefox". */
function switched({ clause, subject, rest, sentence }: RuleContext): readonly Draft[] {
  // "My team switched": so did the speaker.
  const ours =
    subject.kind === "attribute" &&
    subject.impersonal !== true &&
    subject.text === "user" &&
    /^(?:whole )?(?:team|company|office|department|school)$/.test(subject.attribute ?? "");
  if (event(clause) === undefined || (subject.kind === "attribute" && !ours)) return [];
  // "We changed our hosting from Heroku to Fly.io".
  const match =
    /^(?:\s+over)?(?:\s+(?:my|our|the) (?:\p{L}+ )?(?:shop|store|team|company|office|business|blog|site|newsletter|calendar|notes|accounts|phone|laptop|insurance|payroll|billing|invoicing|analytics|ci|pipeline|monitoring|major|degree|course|hosting|host|provider|supplier|bank|editor|browser|carrier|network|database|stack|email|broadband|router))?(?:\s+from\s+(.{1,40}?))?\s+(?:over\s+)?(?:in)?to\s+(.{1,60})$/isu.exec(
      rest.replace(
        /(?:,|\s(?:because|and|so|but|when|after|as|last|this|in|on|two|three|at|yesterday|today|eff)(?:\s|$)).*$/isu,
        "",
      ),
    );
  const replaced = /^(?:replace|ditch|swap)$/.test(clause.phrase.lemma)
    ? /^\s+(.{1,40}?)\s+(?:with|for)\s+(.{1,60})$/isu.exec(rest)
    : null;
  if (match === null && replaced === null) return [];
  const [, from, to = ""] = replaced ?? match ?? [];
  const [next] = thing(to.replace(/(?:,|\s+and)\s.*$/is, ""));
  const [before] = from === undefined ? [] : phrase(from);
  if (next !== undefined && before !== undefined && beverages.test(before.text)) {
    const drinks = {
      subject: subject.text,
      predicate: "drinks",
      timing: "state",
      reason: "switched",
    } as const;
    return [
      { ...drinks, object: before.text, change: "end" },
      { ...drinks, object: next.text },
    ];
  }
  if (next !== undefined && before === undefined && /(?:^| )(?:milk|decaf|coffee|tea)$/i.test(next.text))
    return [
      { subject: subject.text, predicate: "drinks", object: next.text, timing: "state", reason: "switched" },
    ];
  if (next !== undefined && before !== undefined) {
    const both = (is: (text: string) => boolean): boolean => is(next.text) && is(before.text);
    // "From law to medicine", "from teaching to UX design".
    const predicate = both(isSubject) ? "studies" : both(isField) ? "works_in" : undefined;
    if (predicate !== undefined) {
      const changed = { subject: subject.text, predicate, timing: "state", reason: "switched" } as const;
      return [
        { ...changed, object: before.text, change: "end" },
        { ...changed, object: next.text },
      ];
    }
  }
  // "My Honda for a Subaru" is a swap of things.
  if (
    replaced !== null &&
    /^\s*(?:my|our)\s/i.test(from ?? "") &&
    !isTool(next?.text ?? "") &&
    !isTool(before?.text ?? "")
  )
    return [];
  if (next === undefined || !named(next.text) || (before !== undefined && !named(before.text))) return [];
  // One moves to towns, too.
  if (clause.phrase.lemma === "move" && !isTool(next.text) && !isTool(before?.text ?? "")) return [];
  const both = `${before?.text ?? ""} ${next.text}`;
  const predicate =
    schools.test(both) || /\bstud(?:y|ying|ies)\b/i.test(sentence)
      ? "studies_at"
      : /\b(?:work|working|works|jobs?|companies|employer)\b/i.test(sentence) && !isTool(next.text)
        ? "works_at"
        : "uses";
  const base = { subject: subject.text, predicate, timing: "state", reason: "switched" } as const;
  return [
    ...(before === undefined ? [] : [{ ...base, object: before.text, change: "end" as const }]),
    { ...base, object: next.text },
  ];
}

/** What one works in: "teaching", "UX design", "the law". */
function isField(text: string): boolean {
  return (
    !isTool(text) &&
    /^(?:[\p{L}-]+ )?(?:teaching|nursing|banking|consulting|engineering|accounting|accountancy|marketing|sales|retail|hospitality|law|finance|design|journalism|publishing|advertising|academia|research|tech|it|hr|pr|coding|programming|development|software|data science|product management|project management|management|recruitment|social work|medicine|science|politics|policing|construction|carpentry|catering|freelancing|contracting|industry|insurance|education|healthcare|logistics|media|film|tv|television|photography|farming|agriculture|biotech|pharma|management)$/iu.test(
      text,
    )
  );
}

function named(text: string): boolean {
  return isTool(text) || /^i?\p{Lu}\S*(?: (?:\p{Lu}|\d|of |the |and )\S*){0,3}$/u.test(text);
}
