import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import * as z from "zod";

/** Conversations, and questions about them with what is needed for the answer. */
export interface RecallSet {
  readonly name: string;
  /** What `Question.evidence` names, and so what is ranked. */
  readonly unit: "turn" | "session";
  readonly corpora: readonly Corpus[];
}

/** What one user has said and heard. */
export interface Corpus {
  readonly id: string;
  /** In the order in which they were said. */
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
}

export interface Turn {
  readonly id: string;
  readonly session: string;
  readonly speaker: string;
  readonly text: string;
  /** Of an image that was shown. */
  readonly caption?: string | undefined;
  /** Milliseconds. A time without a zone is taken as UTC. */
  readonly saidAt?: number | undefined;
}

export interface Question {
  readonly id: string;
  readonly category: string;
  readonly text: string;
  readonly askedAt?: number | undefined;
  /** It is asked when this session begins. Undefined: when all was said. */
  readonly before?: string | undefined;
  /** Ids of turns or sessions, each once. */
  readonly evidence: readonly string[];
  /** Of a question about something that was updated: which turns say it as it was, and which as it is. No turn is in both. */
  readonly update?: UpdateTurns | undefined;
}

export interface UpdateTurns {
  readonly original: readonly string[];
  readonly updated: readonly string[];
}

/** Categories of questions that have no answer. */
export const unanswerable: readonly string[] = ["adversarial", "abstention"];

/** Reads a data set, gzip-compressed if its name says so. Its form is told from what is in it. */
export async function readRecallSet(path: string): Promise<RecallSet> {
  const bytes = await readFile(path);
  const json: unknown = JSON.parse((path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"));
  return parseRecallSet(json);
}

/** @throws Error when it is of none of the forms */
export function parseRecallSet(json: unknown): RecallSet {
  const set = isObject(json) && "sessions" in json ? haystacks(json) : conversations(json);
  for (const corpus of set.corpora) checkEvidence(corpus, set.unit);
  return set;
}

function isObject(json: unknown): json is object {
  return typeof json === "object" && json !== null;
}

const docSchema = z.object({
  id: z.string(),
  session: z.string(),
  date: z.string().nullish(),
  speaker: z.string(),
  text: z.string(),
  caption: z.string().nullish(),
});

const querySchema = z.object({
  id: z.string(),
  corpus: z.string(),
  category: z.string(),
  question: z.string(),
  date: z.string().nullish(),
});

const turnIds = z.union([z.string(), z.array(z.string())]).optional();
const rolesSchema = z.object({ original_info: turnIds, updated_info: turnIds });

const conversationsSchema = z.object({
  name: z.string(),
  corpora: z.array(z.object({ id: z.string(), docs: z.array(docSchema) })),
  queries: z.union([
    z.array(querySchema.extend({ evidence: z.array(z.string()), evidence_roles: rolesSchema.nullish() })),
    z.array(querySchema.extend({ evidence_sessions: z.array(z.string()), before_session: z.string() })),
  ]),
});

/** The common form, and that of RealMem, which names sessions and asks before one of them. */
function conversations(json: unknown): RecallSet {
  const { name, corpora, queries } = conversationsSchema.parse(json);
  const bySession = queries.some((query) => "evidence_sessions" in query);
  const questions = queries.map((query) => ({
    corpus: query.corpus,
    question: {
      id: query.id,
      category: query.category,
      text: query.question,
      askedAt: toTime(query.date),
      before: "before_session" in query ? query.before_session : undefined,
      evidence: distinct("evidence" in query ? query.evidence : query.evidence_sessions),
      ...("evidence" in query ? updateOf(query.evidence_roles ?? {}) : {}),
    },
  }));
  return {
    name,
    unit: bySession ? "session" : "turn",
    corpora: corpora.map(({ id, docs }) => ({
      id,
      turns: docs.map(({ date, caption, ...doc }) => ({
        ...doc,
        caption: caption ?? undefined,
        saidAt: toTime(date),
      })),
      questions: questions.filter(({ corpus }) => corpus === id).map(({ question }) => question),
    })),
  };
}

/** Turns that a set names as both say nothing about which of them is the newer one. */
function updateOf({
  original_info = [],
  updated_info = [],
}: z.infer<typeof rolesSchema>): Pick<Question, "update"> {
  const [old, now] = [[original_info].flat(), [updated_info].flat()];
  const original = distinct(old.filter((id) => !now.includes(id)));
  const updated = distinct(now.filter((id) => !old.includes(id)));
  return original.length > 0 && updated.length > 0 ? { update: { original, updated } } : {};
}

const haystacksSchema = z.object({
  name: z.string(),
  sessions: z.record(
    z.string(),
    z.object({
      date: z.string().nullish(),
      turns: z.array(z.object({ role: z.string(), content: z.string() })),
    }),
  ),
  queries: z.array(
    z.object({
      question_id: z.string(),
      question_type: z.string(),
      question: z.string(),
      question_date: z.string().nullish(),
      answer_session_ids: z.array(z.string()),
      haystack_session_ids: z.array(z.string()),
    }),
  ),
});

/** LongMemEval's form: each question has sessions of its own, which become one user's, in the order of their dates. */
function haystacks(json: unknown): RecallSet {
  const { name, sessions, queries } = haystacksSchema.parse(json);
  return {
    name,
    unit: "session",
    corpora: queries.map((query) => ({
      id: query.question_id,
      turns: query.haystack_session_ids
        .map((session) => {
          const found = sessions[session];
          if (found === undefined) throw new Error(`${query.question_id}: there is no session ${session}`);
          return { session, turns: found.turns, saidAt: toTime(found.date) };
        })
        .sort((a, b) => (a.saidAt ?? 0) - (b.saidAt ?? 0))
        .flatMap(({ session, turns, saidAt }) =>
          turns.map(({ role, content }, i) => ({
            id: `${session}:${i}`,
            session,
            speaker: role,
            text: content,
            saidAt,
          })),
        ),
      questions: [
        {
          id: query.question_id,
          category: query.question_type,
          text: query.question,
          askedAt: toTime(query.question_date),
          evidence: distinct(query.answer_session_ids),
        },
      ],
    })),
  };
}

function checkEvidence({ id, turns, questions }: Corpus, unit: RecallSet["unit"]): void {
  const known = new Set(turns.map((turn) => (unit === "turn" ? turn.id : turn.session)));
  const sessions = new Set(turns.map(({ session }) => session));
  for (const question of questions) {
    const lost = question.evidence.find((evidence) => !known.has(evidence));
    if (lost !== undefined) throw new Error(`${id}, question ${question.id}: there is no ${unit} ${lost}`);
    if (question.before !== undefined && !sessions.has(question.before))
      throw new Error(`${id}, question ${question.id}: there is no session ${question.before}`);
  }
}

/** ISO 8601, or "March-15-2024" as BEAM writes it. */
function toTime(date: string | null | undefined): number | undefined {
  if (date == null) return undefined;
  const [, month, day, year] = /^([A-Z][a-z]+)-(\d{1,2})-(\d{4})$/.exec(date) ?? [];
  const zoned = /T[\d:.]+$/.test(date) ? `${date}Z` : date;
  const time = Date.parse(month === undefined ? zoned : `${month} ${day}, ${year} UTC`);
  if (Number.isNaN(time)) throw new Error(`Not a date: ${date}`);
  return time;
}

function distinct(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}
