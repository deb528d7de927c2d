import { checkKnown, checkLimit, checkSignal } from "../flux/check-options.ts";
import { defined } from "../flux/draft.ts";
import type { Flux } from "../flux/flux.ts";
import type { Scope } from "../flux/scope.ts";
import type { Episode } from "../model/episode.ts";
import { FluxError } from "../model/errors.ts";
import { checkId } from "../model/ids.ts";
import type { Message } from "../model/message.ts";
import type { Stored } from "../model/record.ts";
import { find } from "../store/read.ts";
import { episodeOf } from "./episode-views.ts";
import type { SessionMessage, SessionMessagesOptions } from "./episodes.ts";
import { names } from "./option-names.ts";

/** Records of each kind that are read at a time. */
const page = 100;

/** What one record says in its session. */
interface Turn {
  /** Its place in the session. */
  readonly seq: number;
  readonly messages: readonly SessionMessage[];
  /** Those of user and assistant, without what tools did in between. */
  readonly counted: number;
}

/** The newest messages of a session, in the order in which they were stored. */
export async function sessionMessages(
  { ledger }: Flux,
  { partition, sessionId }: Scope,
  given: string | undefined,
  options: SessionMessagesOptions,
): Promise<readonly SessionMessage[]> {
  const { limit = 20, signal } = checkKnown(options, names.sessionMessages);
  checkLimit(limit, "limit");
  checkSignal(signal)?.throwIfAborted();
  const session = given ?? sessionId;
  if (session === undefined) {
    throw new FluxError("invalid_argument", "sessionMessages needs a session", {
      hint: "Give its id, or make the handle with for({ userId, sessionId }).",
    });
  }
  const walk = { index: "bySession", prefix: [checkId(session, "sessionId")], reverse: true } as const;
  const size = Math.min(page, limit);
  const episodes = newestFirst(async (after) => {
    const ops = [find("episode", { ...walk, limit: size, after })] as const;
    const [{ items, ...rest }] = await ledger.read([partition], ops, { signal });
    return { turns: items.map(turnOfEpisode), ...rest };
  });
  const messages = newestFirst(async (after) => {
    const ops = [find("message", { ...walk, limit: size, after })] as const;
    const [{ items, ...rest }] = await ledger.read([partition], ops, { signal });
    return { turns: items.map(turnOfMessage), ...rest };
  });
  let [episode, message] = await Promise.all([episodes.next(), messages.next()]);
  const taken: Turn[] = [];
  for (let count = 0; count < limit; ) {
    const later = seqOf(episode) > seqOf(message) ? episode : message;
    if (later.done === true) break;
    count += later.value.counted;
    if (count > limit && taken.length > 0) break;
    taken.push(later.value);
    if (later === episode) episode = await episodes.next();
    else message = await messages.next();
  }
  return taken.reverse().flatMap((turn) => turn.messages);
}

function seqOf(next: IteratorResult<Turn, void>): number {
  return next.done === true ? Number.NEGATIVE_INFINITY : next.value.seq;
}

async function* newestFirst(
  read: (after: string | undefined) => Promise<{ readonly turns: readonly Turn[]; readonly cursor?: string }>,
): AsyncGenerator<Turn, void> {
  let after: string | undefined;
  do {
    const { turns, cursor } = await read(after);
    yield* turns;
    after = cursor;
  } while (after !== undefined);
}

function turnOfMessage(stored: Stored<Message>): Turn {
  const { id, seq, role, content, name, toolCalls, toolCallId, saidAt } = stored;
  const message: SessionMessage = {
    ...{ role, content, ...defined({ name, toolCalls, toolCallId }) },
    ...{ recordId: id, saidAt },
  };
  return { seq, messages: [message], counted: role === "user" || role === "assistant" ? 1 : 0 };
}

function turnOfEpisode(stored: Stored<Episode>): Turn {
  const { id, input, output, occurredAt, transcript = [] } = episodeOf(stored);
  const from = { recordId: id, saidAt: occurredAt };
  const came: SessionMessage[] = input === "" ? [] : [{ role: "user", content: input, ...from }];
  const went: SessionMessage[] = output === "" ? [] : [{ role: "assistant", content: output, ...from }];
  const between = transcript.map(({ role, content, name, toolCalls, toolCallId }): SessionMessage => {
    return { role, content, ...defined({ name, toolCalls, toolCallId }), ...from };
  });
  return { seq: stored.seq, messages: [...came, ...between, ...went], counted: came.length + went.length };
}
