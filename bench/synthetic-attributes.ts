/** Something that can be known of somebody, with texts that tell of it. `A` and `B` in a text stand for an older and a newer value. */
export interface SyntheticAttribute {
  readonly subject: string;
  readonly predicate: string;
  /** Several values hold at a time: a further one does not end the older one. */
  readonly many?: true;
  /** Older and newer values. */
  readonly values: readonly (readonly [older: string, newer: string])[];
  readonly tell: string;
  /** Two texts that tell of a change, or of a further value. */
  readonly change: readonly [string, string];
  /** Says that the older one was never so. Absent where it would be odd: then the older one ends. */
  readonly correct?: string;
  /** Says that the older one holds no more, and nothing of another one. */
  readonly end?: string;
  /** Says the older one once more. */
  readonly again: string;
}

const cities = [
  ["Porto", "Hamburg"],
  ["Leeds", "Bath"],
  ["Oslo", "Bergen"],
  ["Graz", "Linz"],
  ["Lyon", "Nantes"],
] as const;
const firms = [
  ["Nokia", "Ericsson"],
  ["Acme", "Globex"],
  ["Siemens", "Bosch"],
  ["Deloitte", "Monzo"],
  ["Arup", "Foster"],
] as const;
const people = [
  ["Maria", "Petra"],
  ["Tobias", "Carmen"],
  ["Henrike", "Kofi"],
  ["Lena", "Amara"],
  ["Ravi", "Jonas"],
] as const;
const money = [
  ["900 euros", "950 euros"],
  ["1,200 dollars", "1,350 dollars"],
  ["500 pounds", "450 pounds"],
  ["$700", "$820"],
  ["€640", "€700"],
] as const;
const counts = [
  ["12", "14"],
  ["three", "four"],
  ["25", "30"],
  ["two", "five"],
  ["8", "7"],
] as const;
const days = [
  ["March 3", "March 10"],
  ["April 20", "April 25"],
  ["June 1", "June 15"],
  ["October 9", "October 12"],
  ["May 5", "May 8"],
] as const;
const colours = [
  ["teal", "green"],
  ["red", "blue"],
  ["black", "yellow"],
  ["orange", "purple"],
  ["white", "pink"],
] as const;
const jobs = [
  ["teacher", "headteacher"],
  ["nurse", "midwife"],
  ["cook", "baker"],
  ["plumber", "electrician"],
  ["journalist", "translator"],
] as const;
const hobbies = [
  ["tennis", "badminton"],
  ["chess", "poker"],
  ["football", "rugby"],
  ["squash", "golf"],
  ["handball", "volleyball"],
] as const;
const drinks = [
  ["coffee", "tea"],
  ["wine", "beer"],
  ["milk", "juice"],
  ["cider", "gin"],
  ["cola", "lemonade"],
] as const;
const tools = [
  ["Vim", "Emacs"],
  ["Notion", "Obsidian"],
  ["Slack", "Zulip"],
  ["Firefox", "Vivaldi"],
  ["Jira", "Linear"],
] as const;
const things = [
  ["bike", "scooter"],
  ["boat", "caravan"],
  ["piano", "guitar"],
  ["camera", "telescope"],
  ["tent", "kayak"],
] as const;

/** A value that has a name: "my rent", "Apollo's budget". */
function named(
  name: string,
  predicate: string,
  values: SyntheticAttribute["values"],
  subject = "user",
): SyntheticAttribute {
  const whose = subject === "user" ? "my" : `${subject}'s`;
  const Whose = `${whose.charAt(0).toUpperCase()}${whose.slice(1)}`;
  return {
    ...{ subject, predicate, values },
    tell: `${Whose} ${name} is A.`,
    change: [`${Whose} ${name} is now B.`, `${Whose} ${name} has changed from A to B.`],
    correct: `Actually, ${whose} ${name} is B, not A.`,
    again: `As I said, ${whose} ${name} is A.`,
  };
}

/** 40 attributes: numbers, names, dates, places, habits, likes and what one has. */
export const syntheticAttributes: readonly SyntheticAttribute[] = [
  {
    ...{ subject: "user", predicate: "lives_in", values: cities, tell: "I live in A." },
    ...{ change: ["I moved to B.", "I moved from A to B last week."], correct: "No, I live in B, not A." },
    ...{ end: "I no longer live in A.", again: "I still live in A." },
  },
  {
    ...{ subject: "Anna", predicate: "lives_in", values: cities, tell: "Anna lives in A." },
    ...{
      change: ["Anna has moved to B.", "Anna lives in B now."],
      correct: "No, Anna lives in B, not in A.",
    },
    ...{ end: "Anna doesn't live in A any more.", again: "Anna still lives in A." },
  },
  {
    ...{ subject: "user", predicate: "works_at", values: firms, tell: "I work at A." },
    ...{
      change: ["I work at B now.", "I left A and started at B."],
      correct: "Sorry, I meant that I work at B, not A.",
    },
    ...{ end: "I quit my job at A.", again: "I'm still working at A." },
  },
  {
    ...{ subject: "Ben", predicate: "works_at", values: firms, tell: "Ben works at A." },
    ...{ change: ["Ben now works at B.", "Ben has left A for B."], correct: "No, Ben works at B, not at A." },
    ...{ end: "Ben no longer works at A.", again: "Ben still works at A." },
  },
  {
    ...{ subject: "user", predicate: "works_as", values: jobs, tell: "I'm a A." },
    ...{ change: ["I'm a B now.", "I now work as a B."], correct: "Actually, I'm a B, not a A." },
    ...{ end: "I no longer work as a A.", again: "I still work as a A." },
  },
  named("rent", "rent", money),
  named("salary", "salary", money),
  named("budget", "budget", money),
  named("budget", "budget", money, "Apollo"),
  named("deadline", "deadline", days, "Apollo"),
  named("team size", "team_size", counts),
  named("shoe size", "shoe_size", [
    ["43", "44"],
    ["38", "39"],
    ["41", "40"],
    ["36", "37"],
    ["45", "46"],
  ]),
  named("height", "height", [
    ["178 cm", "179 cm"],
    ["1.62 m", "1.63 m"],
    ["185 cm", "184 cm"],
    ["170 cm", "171 cm"],
    ["160 cm", "162 cm"],
  ]),
  named("favourite colour", "favorite_color", colours),
  named("favourite drink", "favorite_drink", drinks),
  named("favourite sport", "favorite_sport", hobbies),
  named("boss", "has_boss", people),
  named("appointment", "appointment", days),
  named("account number", "account_number", [
    ["4711", "4712"],
    ["88213", "90077"],
    ["1002", "1017"],
    ["5550", "5551"],
    ["31337", "31338"],
  ]),
  named(
    "version",
    "version",
    [
      ["2.3.1", "2.4.0"],
      ["1.0.4", "1.1.0"],
      ["3.11.2", "3.12.0"],
      ["0.9.1", "0.9.2"],
      ["5.0.0", "5.0.1"],
    ],
    "Gemini",
  ),
  {
    ...{
      subject: "user",
      predicate: "age",
      values: [
        ["34", "35"],
        ["29", "30"],
        ["41", "42"],
        ["52", "53"],
        ["19", "20"],
      ],
    },
    ...{ tell: "I'm A years old.", change: ["I turned B today.", "I'm B now."] },
    ...{ correct: "Actually, I'm B, not A.", again: "I'm A years old, as I told you." },
  },
  {
    ...{
      subject: "Mia",
      predicate: "age",
      values: [
        ["7", "8"],
        ["12", "13"],
        ["three", "four"],
        ["16", "17"],
        ["9", "10"],
      ],
    },
    ...{ tell: "Mia is A years old.", change: ["Mia turned B yesterday.", "Mia is now B years old."] },
    ...{ correct: "No, Mia is B years old, not A.", again: "Mia is A years old, you know." },
  },
  {
    ...{
      subject: "user",
      predicate: "weight",
      values: [
        ["82 kg", "80 kg"],
        ["64 kg", "66 kg"],
        ["90 kilos", "87 kilos"],
        ["150 pounds", "145 pounds"],
        ["71 kg", "70 kg"],
      ],
    },
    ...{ tell: "I weigh A.", change: ["I weigh B now.", "My weight has gone down to B."] },
    ...{ correct: "Actually, I weigh B, not A.", again: "I still weigh A." },
  },
  {
    ...{ subject: "user", predicate: "hens", values: counts, tell: "I have A hens." },
    ...{ change: ["I have B hens now.", "We now have B hens."], correct: "No, I have B hens, not A." },
    again: "I still have A hens.",
  },
  {
    ...{ subject: "user", predicate: "followers", values: counts, tell: "I have A followers." },
    ...{
      change: ["I have B followers now.", "I now have B followers."],
      correct: "Actually, I have B followers, not A.",
    },
    again: "I have A followers, as before.",
  },
  {
    ...{
      subject: "user",
      predicate: "diet",
      values: [
        ["vegan", "vegetarian"],
        ["vegetarian", "vegan"],
        ["pescatarian", "vegan"],
        ["vegan", "pescatarian"],
        ["vegetarian", "pescatarian"],
      ],
    },
    ...{ tell: "I'm A.", change: ["I'm B now.", "I've become B."], correct: "Actually, I'm B, not A." },
    ...{ end: "I'm not A any more.", again: "I'm still A." },
  },
  {
    ...{ subject: "user", predicate: "has_girlfriend", values: people, tell: "My girlfriend is A." },
    ...{
      change: ["My new girlfriend is B.", "My girlfriend is B now."],
      correct: "No, my girlfriend is called B, not A.",
    },
    again: "My girlfriend is called A.",
  },
  {
    ...{
      subject: "user",
      predicate: "studies_at",
      values: [
        ["Trinity College", "Leiden University"],
        ["MIT", "Stanford"],
        ["Oxford", "Cambridge"],
        ["ETH", "EPFL"],
        ["Uppsala University", "Lund University"],
      ],
    },
    ...{ tell: "I study at A.", change: ["I study at B now.", "I switched from A to B and study at B."] },
    ...{ correct: "No, I study at B, not at A.", again: "I still study at A." },
  },
  {
    ...{ subject: "user", predicate: "likes", many: true, values: drinks, tell: "I like A." },
    ...{
      change: ["I also like B.", "I like B, too."],
      end: "I don't like A any more.",
      again: "I really like A.",
    },
  },
  {
    ...{ subject: "Zoe", predicate: "likes", many: true, values: hobbies, tell: "Zoe likes A." },
    ...{
      change: ["Zoe also likes B.", "Zoe likes B as well."],
      end: "Zoe no longer likes A.",
      again: "Zoe still likes A.",
    },
  },
  {
    ...{ subject: "user", predicate: "dislikes", many: true, values: colours, tell: "I hate A." },
    ...{ change: ["I also hate B.", "I can't stand B either."], again: "I still hate A." },
  },
  {
    ...{ subject: "user", predicate: "plays", many: true, values: hobbies, tell: "I play A." },
    ...{ change: ["I also play B.", "I play B, too."], end: "I no longer play A.", again: "I still play A." },
  },
  {
    ...{ subject: "user", predicate: "drinks", many: true, values: drinks, tell: "I drink A." },
    ...{
      change: ["I also drink B.", "I drink B, too."],
      end: "I stopped drinking A.",
      again: "I still drink A.",
    },
  },
  {
    ...{ subject: "user", predicate: "owns", many: true, values: things, tell: "I own a A." },
    ...{ change: ["I bought a B.", "I also own a B."], end: "I sold my A.", again: "I still own a A." },
  },
  {
    ...{ subject: "user", predicate: "uses", many: true, values: tools, tell: "I use A." },
    ...{ change: ["I also use B.", "I use B, too."], end: "I no longer use A.", again: "I still use A." },
  },
  {
    ...{
      subject: "user",
      predicate: "speaks",
      many: true,
      values: [
        ["Portuguese", "Spanish"],
        ["German", "Danish"],
        ["Finnish", "Swedish"],
        ["Greek", "Turkish"],
        ["Korean", "Japanese"],
      ],
    },
    ...{
      tell: "I speak A.",
      change: ["I also speak B.", "I speak B as well."],
      again: "As I said, I speak A.",
    },
  },
  {
    ...{
      subject: "user",
      predicate: "allergic_to",
      many: true,
      values: [
        ["nuts", "pollen"],
        ["cats", "dust"],
        ["penicillin", "latex"],
        ["shellfish", "eggs"],
        ["wasps", "bees"],
      ],
    },
    ...{ tell: "I'm allergic to A.", change: ["I'm also allergic to B.", "I'm allergic to B, too."] },
    ...{ end: "I'm no longer allergic to A.", again: "Remember that I'm allergic to A." },
  },
  {
    ...{
      subject: "user",
      predicate: "has_friend",
      many: true,
      values: people,
      tell: "My friend A lives next door.",
    },
    ...{ change: ["My friend B is a doctor.", "I have a friend called B."], again: "My friend A came by." },
  },
  {
    ...{
      subject: "user",
      predicate: "has_pet",
      many: true,
      values: [
        ["Rex", "Luna"],
        ["Biscuit", "Pixel"],
        ["Mochi", "Otto"],
        ["Bella", "Simba"],
        ["Milo", "Nala"],
      ],
    },
    ...{ tell: "I have a dog named A.", change: ["I have a cat named B.", "We adopted a dog named B."] },
    again: "My dog is called A.",
  },
  {
    ...{ subject: "user", predicate: "learning", many: true, values: tools, tell: "I'm learning A." },
    ...{
      change: ["I'm also learning B.", "I'm learning B, too."],
      end: "I stopped learning A.",
      again: "I'm still learning A.",
    },
  },
];
