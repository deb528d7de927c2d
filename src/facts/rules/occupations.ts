import { wordSet } from "./words.ts";

// Nouns of work that no ending tells.
const nouns =
  wordSet(`nurse chef cook clerk coach judge artist pilot guard guide maid student intern apprentice scientist
  physicist chemist biologist psychologist psychiatrist therapist economist journalist novelist pianist violinist cellist
  guitarist drummer musician physician technician electrician mathematician statistician politician librarian dietitian
  dietician optician beautician magician historian veterinarian vet paramedic mechanic architect accountant consultant
  assistant attendant sergeant lieutenant analyst specialist strategist receptionist pharmacist dentist florist optometrist
  hygienist machinist stylist copywriter engineer developer programmer designer teacher lecturer researcher writer author
  editor lawyer attorney doctor surgeon actor actress waiter waitress barista bartender baker butcher carpenter plumber painter
  photographer videographer filmmaker producer director manager supervisor administrator coordinator officer soldier firefighter
  policeman policewoman fisherman salesman saleswoman salesperson translator interpreter driver farmer gardener cleaner
  builder welder roofer tailor hairdresser barber banker broker trader cashier teller realtor recruiter postdoc professor
  principal tutor nanny babysitter caregiver carer midwife radiologist cardiologist neurologist dermatologist
  anesthesiologist oncologist pediatrician geologist astronomer astronaut sociologist anthropologist archaeologist
  ecologist meteorologist secretary treasurer auditor actuary paralegal plasterer bricklayer locksmith jeweler potter sculptor
  illustrator animator composer conductor singer dancer choreographer model comedian podcaster blogger youtuber streamer
  founder co-founder cofounder entrepreneur freelancer contractor ceo cto cfo coo dj dev sysadmin devops ux planner surveyor
  inspector investigator detective sommelier bookkeeper bookseller shopkeeper housekeeper zookeeper beekeeper
  miner blacksmith joiner mason glazier roofer scaffolder electrician welder decorator gardener landscaper arborist forester
  lifeguard paramedic midwife nanny au-pair minder lollipop-lady cabbie courier postman postwoman mailman milkman bus-driver
  trucker pilot steward stewardess purser sailor captain deckhand docker longshoreman fisherman crofter shepherd rancher
  winemaker brewer distiller cheesemaker chocolatier patissier butler concierge bellboy doorman bouncer usher croupier
  umpire referee jockey boxer wrestler footballer cricketer golfer gymnast swimmer athlete physio physiotherapist osteopath
  chiropractor podiatrist orthodontist optician audiologist phlebotomist orderly gp registrar consultant anaesthetist
  paediatrician pediatrician gynaecologist gynecologist obstetrician urologist pathologist virologist epidemiologist
  barrister solicitor notary magistrate bailiff clerk conveyancer underwriter adjuster stockbroker accountant bookkeeper
  economist lobbyist diplomat ambassador mayor councillor mp senator minister priest vicar pastor rabbi imam monk nun deacon
  imam chaplain headteacher headmaster headmistress lecturer dean provost caretaker janitor porter seamstress dressmaker
  cobbler upholsterer milliner goldsmith silversmith watchmaker clockmaker luthier glassblower printmaker ceramicist
  cartoonist calligrapher playwright screenwriter scriptwriter poet lyricist songwriter dramaturg stagehand roadie
  cinematographer cameraman announcer presenter newsreader reporter correspondent columnist critic blogger influencer
  tester qa sre scrum-master freelancer temp trainee apprentice intern volunteer homemaker housewife househusband
  cop bookmaker missionary lorry-driver candidate tattooist farrier ranger signwriter sonographer radiographer optician
  vp postie head president dean partner-track undergraduate sophomore freshman`);

const ending =
  /(?:ologist|iatrist|ographer|onomist|keeper|nurse|teacher|engineer|developer|manager|designer|writer|worker|maker|therapist|technician|assistant|analyst|instructor|lecturer|consultant)$/;

/** What one calls oneself but does not do for a living. */
const roles = wordSet("student sophomore freshman undergraduate");

/** Whether a phrase such as "senior software engineer" names what somebody does for a living or studies as. */
export function isOccupation(phrase: string): boolean {
  // A "head of marketing" is a head.
  const [title = ""] = phrase.toLowerCase().split(/\s+of\s+/);
  const words = title.split(/\s+/);
  const last = words.at(-1) ?? "";
  return (
    words.length <= 6 &&
    (nouns.has(last) ||
      ending.test(last) ||
      /\b(?:vet|lab|nail|pharmacy|dental|x-ray) tech$/.test(title) ||
      /\b(?:qa|tech|team|engineering|design|product|project|sales|data) lead$/.test(title) ||
      /^(?:self-employed|stay-at-home (?:mum|mom|dad|parent|mother|father))$/.test(title) ||
      roles.has(last))
  );
}
