/** How a verb stands: "works" is third, "worked" past (and participle, of regular verbs), "working" ing. */
export type VerbForm = "base" | "third" | "past" | "participle" | "ing";

export interface VerbReading {
  readonly lemma: string;
  readonly form: VerbForm;
}

// Past and participle of verbs that rules ask for.
const irregular: Readonly<Record<string, readonly [past: string, participle: string]>> = {
  ...{ have: ["had", "had"], do: ["did", "done"], go: ["went", "gone"], get: ["got", "gotten"] },
  ...{ grow: ["grew", "grown"], come: ["came", "come"], leave: ["left", "left"], quit: ["quit", "quit"] },
  ...{
    teach: ["taught", "taught"],
    buy: ["bought", "bought"],
    sell: ["sold", "sold"],
    lose: ["lost", "lost"],
  },
  ...{ give: ["gave", "given"], drive: ["drove", "driven"], ride: ["rode", "ridden"], eat: ["ate", "eaten"] },
  ...{ drink: ["drank", "drunk"], run: ["ran", "run"], swim: ["swam", "swum"], write: ["wrote", "written"] },
  ...{ read: ["read", "read"], speak: ["spoke", "spoken"], know: ["knew", "known"], meet: ["met", "met"] },
  ...{ win: ["won", "won"], break: ["broke", "broken"], take: ["took", "taken"], wake: ["woke", "woken"] },
  ...{ see: ["saw", "seen"], fly: ["flew", "flown"], keep: ["kept", "kept"], make: ["made", "made"] },
  ...{ begin: ["began", "begun"], become: ["became", "become"], build: ["built", "built"] },
  ...{ feel: ["felt", "felt"], find: ["found", "found"], lead: ["led", "led"], wear: ["wore", "worn"] },
  ...{
    hurt: ["hurt", "hurt"],
    sing: ["sang", "sung"],
    sleep: ["slept", "slept"],
    think: ["thought", "thought"],
  },
  ...{
    spend: ["spent", "spent"],
    pay: ["paid", "paid"],
  },
  ...{ put: ["put", "put"], set: ["set", "set"], cut: ["cut", "cut"] },
  ...{ sit: ["sat", "sat"] },
  ...{ steal: ["stole", "stolen"] },
  ...{
    hold: ["held", "held"],
    bring: ["brought", "brought"],
    choose: ["chose", "chosen"],
    shoot: ["shot", "shot"],
  },
  ...{ retake: ["retook", "retaken"], resit: ["resat", "resat"], babysit: ["babysat", "babysat"] },
  ...{ oversee: ["oversaw", "overseen"], undergo: ["underwent", "undergone"], catch: ["caught", "caught"] },
  ...{ split: ["split", "split"], mean: ["meant", "meant"], tear: ["tore", "torn"] },
};

const doubling =
  /^(?:get|run|swim|jog|quit|plan|stop|put|set|cut|begin|win|program|commit|chat|shop|skip|swap|drop|nap|hop|step|sit|prep|submit|babysit|resit)$/;

const regular = `work live move relocate stay visit attend study graduate major join start finish complete resign retire own
  adopt love like enjoy adore prefer dislike detest despise loathe play use switch watch listen practice practise smoke avoid
  weigh plan hope want intend aim train celebrate marry divorce date engage call name turn cook bake jog meditate walk cycle
  bike exercise commute volunteer travel paint draw garden hike climb dance knit code fish surf ski help need try change
  increase rise drop decrease cost sprain twist injure fracture launch found manage specialise specialize minor enrol enroll
  hire accept pass earn publish release reschedule postpone extend rename upgrade migrate follow suffer stop decide
  hate learn dream head return raise fear collect rent lease belong total miss book order cancel sign report support share plant fast reside settle prepare homeschool vape emigrate immigrate convert inherit donate register apply
  expect separate gain crochet weld brew compete perform sail row skate skateboard snowboard box wrestle fence bowl juggle freelance consult edit
  translate interpret trade invest sponsor drop
  ditch swap rescue foster transfer die care pursue replace lift stretch pray skip stream photograph podcast journal blog tutor coach mentor program develop design
  serve touch answer pick uninstall install delete fail step accompany
  host prep rehearse organise organize renovate restore submit propose audition revise recover explore operate direct produce
  illustrate carve forage repair maintain construct decorate downsize refinance fundraise recruit negotiate advertise promote
  deploy narrate compose arrange conduct sculpt animate qualify pack clear deliver hand shift emigrate arrive land transition retrain honeymoon backpack trek lecture`;

const forms = new Map<string, VerbReading[]>();

function add(form: string, reading: VerbReading): void {
  const known = forms.get(form);
  if (known === undefined) forms.set(form, [reading]);
  else known.push(reading);
}

function ing(lemma: string): string {
  if (doubling.test(lemma)) return `${lemma}${lemma.at(-1)}ing`;
  return lemma.endsWith("e") && !lemma.endsWith("ee") ? `${lemma.slice(0, -1)}ing` : `${lemma}ing`;
}

function past(lemma: string): string {
  if (lemma.endsWith("e")) return `${lemma}d`;
  if (/[^aeiou]y$/.test(lemma)) return `${lemma.slice(0, -1)}ied`;
  return doubling.test(lemma) ? `${lemma}${lemma.at(-1)}ed` : `${lemma}ed`;
}

function third(lemma: string): string {
  if (lemma === "have") return "has";
  if (/[^aeiou]y$/.test(lemma)) return `${lemma.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh|o)$/.test(lemma) ? `${lemma}es` : `${lemma}s`;
}

for (const lemma of new Set([...Object.keys(irregular), ...regular.split(/\s+/)])) {
  const [before, participle] = irregular[lemma] ?? [past(lemma), past(lemma)];
  add(lemma, { lemma, form: "base" });
  add(third(lemma), { lemma, form: "third" });
  add(before, { lemma, form: "past" });
  add(participle, { lemma, form: "participle" });
  add(ing(lemma), { lemma, form: "ing" });
}
for (const [form, lemma] of [
  ["travelling", "travel"],
  ["practising", "practise"],
  ["enrolling", "enrol"],
] as const)
  add(form, { lemma, form: "ing" });
for (const [form, lemma] of [
  ["travelled", "travel"],
  ["enrolled", "enrol"],
  ["learnt", "learn"],
  ["cancelled", "cancel"],
] as const) {
  add(form, { lemma, form: "past" });
  add(form, { lemma, form: "participle" });
}
add("got", { lemma: "get", form: "participle" });

/** "Host" of "hosting": by the table, and by the spelling of what it does not have. */
export function verbOfIng(word: string): string {
  const known = readVerb(word).find(({ form }) => form === "ing");
  if (known !== undefined) return known.lemma;
  const stem = word.slice(0, -3);
  if (/([bdgmnprt])\1$/.test(stem)) return stem.slice(0, -1);
  return mute.test(stem) ? `${stem}e` : stem;
}

// "Emigrat", "organis", "rehears", "explor": what lost an "e".
const mute = /(?:[bcdfgkpt]l|chang|rrang|eng|at|iz|[aeioulnr]s|c|v|dg|u|[^aeiou][aiou][bdgklmnprt])$/;

const none: readonly VerbReading[] = [];

/** What verb a word may be, in lower case; none for words that no rule asks for. */
export function readVerb(word: string): readonly VerbReading[] {
  return forms.get(word) ?? none;
}
