import type { Piece } from "./objects.ts";

// Deeds of this conversation and of the next minute: "I want to know", "I plan to check it out".
const passing =
  /^(?:be|know|see|hear|get|have|thank|talk|discuss|understand|share|say|point|mention|add|confirm|ask|find|make|check|do|let|keep|look|use|try|focus|start (?:by|with)|go (?:with|through|over|for|ahead|back|home)|give|take|set|put|think|tell|show|include|ensure|avoid|help|improve|work|learn more|explore (?:the|this|that|how)|incorporate|implement|create|follow|consider|continue|review|send|update|prepare|compare|balance|practice|figure|come|feel|reach|stay|spend|stick|maintain|increase|reduce|optimi[sz]e|highlight|clarify|address|handle|schedule|start|test|deploy|prioriti[sz]e|manage|better|need|want|bring|call|die|cry|believe|like|respond|provide|apply (?:this|these|those|the)|be able)\b/i;

// What changes a life, or is done on one day of it.
const lifelong =
  /^(?:be(?:come)? an?\b|learn(?! (?:more|about|how)\b)|visit\b|travel\b|become\b|own\b|live\b|move\b|relocate\b|emigrate\b|retire\b|study\b|run (?:an?|my|the|for|another)\b|write (?:an?|my|another) (?:[\p{L}'’-]+ )?(?:book|novel|memoir|screenplay|thesis)|climb\b|adopt\b|build (?:a|my own) (?:\p{L}+ )?(?:house|home|cabin|boat|shed|treehouse|business|family|company|pc|computer)|lose (?:weight|\d)|gain (?:weight|\d)|go (?:part[- ]time|freelance|solo|to|on|back to (?:school|college|university)|hiking|camping|skiing|surfing|abroad|vegan|vegetarian|skydiving|diving|fishing|sailing)\b|buy\b|get (?:married|divorced|engaged|fit|in shape|an? (?:new )?(?:dog|cat|puppy|kitten|car|tattoo|job|bike|degree|phd|master)|my (?:license|driving|degree|phd|master\b|pilot|(?:\p{L}+ )?licen[cs]e))|start (?:an?|my|our|working|college|university|school|(?:nursing|medical|law|art|night|grad|culinary|drama) school|a business)\b|walk (?:the \p{Lu}|across|from)|learn (?:how )?to (?!use|do\b|make|be\b|get|implement|create|build|set|handle|manage|fix|solve|add|improve|better|write (?:better|clean))|open (?:an?|my|our)|quit\b|have (?:kids|children|a baby|a family|another)|save\b|publish\b|hike\b|sail\b|cycle\b|swim\b|complete (?:an?|my)|finish (?:my|writing)|graduate\b|join\b|take (?:an? (?!look|moment|step|minute|second|break|closer|peek|nap|walk|photo|picture|seat|chance)|up\b)|switch\b|apply (?:for|to)\b|sell (?:my|our|the)|renovate\b|launch\b|teach\b|work (?:at|as|in|abroad|for)|enrol|enroll|volunteer\b|qualify (?:as|for)\b|train (?:as|to be)\b|attend\b|host\b|propose\b|marry\b|play\b|master\b|pass (?:the|my)|compete\b|celebrate\b|explore (?:\p{Lu}|the world)|fly\b|drive\b|ski\b|see (?:the northern lights|\p{Lu})|stop\b|give up|cut (?:back|down)|pursue\b|specialize|specialise|plant\b|road[- ]?trip|backpack|(?:cook|eat|drink|read|exercise|walk|sleep|run|cycle|spend) (?:more|less|fewer)\b|start (?!thinking|planning|tracking|preparing|brainstorming|looking|working|making|using|writing|doing|getting|taking|building|with)\p{L}+ing\b|do (?:an? )?(?:\p{L}+ )?(?:phd|masters?|mba|apprenticeship|degree|medicine|law|nursing|midwifery|engineering|teaching|teacher training|triathlon|marathon|(?:half|full) marathon)\b|get (?:better|good) at\b|get into \p{L}|try (?!to\b|the\b|this\b|out\b|an?\b|it\b|making\b|finding\b|using\b|something|some\b|new\b|different|again|another|other|adding)\p{L}{3,}|pass\b|emigrate\b|renew\b|switch to an? \p{L}|pay off|retrain|specialise|coach\b|breed\b|keep (?:bees|chickens|hens|ducks|goats)|grow (?:my own|our own|\p{Ll}+s\b)|convert (?:my|our|the|a)|restore (?:an?|my)|propose to\b|try for a baby)/u;

export function changesLife({ text }: Piece): boolean {
  return lifelong.test(text) && isClear(text);
}

// "The party", "the store": which, only the conversation knows; a version or an identifier is of a program.
const known = /^(?!learn)\p{L}+ (?:to )?the \p{Ll}+$/u;
export const technical =
  /v?\d+\.\d|\b(?:algorithms?|api|scripts?|code|library|framework|model|database|server|function|induction|proofs?|latency|approach|implementation|deployment|app|problems|users?)\b|[a-z][A-Z]|_/;

const alone = /^(?:retire|graduate|emigrate|propose|downsize|ski|travel|marry|relocate|remarry)$/i;
export const vagueDeed = /\b(?:it|that|this|them|these|those|you|your|there|here|one)\b/i;

/** Whether a deed says by itself what is done, and is not of a program. */
export function isClear(text: string): boolean {
  return (
    !known.test(text) &&
    !technical.test(text) &&
    !vagueDeed.test(text) &&
    !/\s(?:to|with|for|at|in|on|of|about|from)$/.test(text) &&
    (!/^\p{L}+$/u.test(text) || alone.test(text))
  );
}

/** What one wants for long: not to save time, to play a game now, to switch to something more efficient. */
export function wish(piece: Piece): boolean {
  return (
    changesLife(piece) &&
    !/^travel$|^buy (?:(?:my|our|him|her|them|some|the)\b|.*\b(?:present|gift|ticket)s?\b)/i.test(
      piece.text,
    ) &&
    !/^(?:save (?!money|up|for)|play (?:an?|some|another)\b|switch (?!careers?|jobs?|majors?|to (?:an? )?(?:vegan|plant|electric))|learn (?:from|some)|run (?:my|the|a (?:test|script|few)))/i.test(
      piece.text,
    )
  );
}

export function lastingDeed({ text }: Piece): boolean {
  return !passing.test(text) && isClear(text) && !/\bmyself\b/i.test(text);
}
