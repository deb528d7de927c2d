import { named } from "./commits.ts";
import type { RateMeasure } from "./rates.ts";
import { agents, counter, newOperation, sampleMessage } from "./samples.ts";

const user = "user-0";
const messagesOfSession = 100;

/** Reads of a partition with so many messages. */
export function reads(records: number): RateMeasure {
  const kinds = ["get", "page of 20", "6 reads at once"];
  return {
    name: "reads",
    unit: "calls/s",
    cases: kinds.flatMap((kind) =>
      [1, 32].map((callers) => ({ name: `${kind}, ${named(callers, "caller")}`, callers })),
    ),
    prepare: async (store) => {
      const sessions = Math.ceil(records / messagesOfSession);
      const ids: string[] = [];
      for (let number = 0; number < records; ) {
        const batches: Promise<readonly string[]>[] = [];
        for (; batches.length < 32 && number < records; number += messagesOfSession) {
          const messages = Array.from({ length: messagesOfSession }, (_, i) =>
            sampleMessage(number + i, `session-${(number + i) % sessions}`),
          );
          batches.push(store.append(user, newOperation(), messages));
        }
        ids.push(...(await Promise.all(batches)).flat());
      }
      await store.addCounter(user, newOperation(), "counter");
      const next = counter();
      const session = (number: number): string => `session-${number % sessions}`;
      // A prime step goes everywhere, and not to neighbours.
      const id = (number: number): string => ids[(number * 7919) % ids.length] ?? "";
      const get = async (): Promise<void> => {
        expect((await store.message(user, id(next()))) === undefined ? 0 : 1, 1);
      };
      const page = async (): Promise<void> => {
        expect((await store.page(user, session(next()), 20)).length, 20);
      };
      const combined = async (): Promise<void> => {
        const number = next();
        const agent = agents[number % agents.length] ?? agents[0];
        const reads = { id: id(number), session: session(number), agent, key: "counter" };
        expect(await store.combined(user, reads), 1 + 1 + 20 + 20 + 10 + 1);
      };
      return [get, get, page, page, combined, combined];
    },
  };
}

function expect(found: number, due: number): void {
  if (found !== due) throw new Error(`A read found ${found} records instead of ${due}`);
}
