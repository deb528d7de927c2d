import { named } from "./commits.ts";
import { callFor, inRounds, type Rate, ratios, summarize } from "./measure.ts";
import type { Result } from "./report.ts";
import { counter } from "./samples.ts";
import type { SpeedPair, SpeedSettings } from "./speed-store.ts";
import { speedText } from "./speed-texts.ts";

const user = "user-0";
const batch = 100;
/** Before the first round, until code is compiled. */
const warmUp = 500;

/** Texts a second, on stores that hold what the cases before have added. */
export async function measureAdds({ own, peer }: SpeedPair, settings: SpeedSettings): Promise<Result[]> {
  const { concurrencies, rounds, milliseconds, signal } = settings;
  const cases = [
    ...concurrencies.map((callers) => ({
      name: `one at a time, ${named(callers, "caller")}`,
      callers,
      size: 1,
    })),
    { name: `${batch} at a time, 1 caller`, callers: 1, size: batch },
  ];
  await using ours = await own.open();
  await using theirs = await peer.open();
  const stores = [
    { name: own.name, store: ours, next: counter() },
    { name: peer.name, store: theirs, next: counter() },
  ];
  const results: Result[] = [];
  for (const { name, callers, size } of cases) {
    const participants = stores.map(({ name, store, next }) => {
      const add = () =>
        store.add(
          user,
          Array.from({ length: size }, () => speedText(next())),
        );
      return { name, add, run: async () => perText(await callFor(milliseconds, callers, add), size) };
    });
    for (const { add } of participants) await callFor(Math.min(warmUp, milliseconds), callers, add);
    const rates = await inRounds(participants, rounds, signal);
    const [mine = [], due = []] = stores.map(({ name }) => rates.get(name) ?? []);
    results.push({
      measure: "add",
      case: name,
      store: own.name,
      unit: "texts/s",
      ...figuresOf(mine),
      peer: { store: peer.name, ...figuresOf(due) },
      ratio: ratios(speeds(mine), speeds(due)),
    });
  }
  return results;
}

function perText({ perSecond, cpu }: Rate, size: number): Rate {
  return { perSecond: perSecond * size, cpu: cpu / size };
}

function figuresOf(rates: readonly Rate[]): Required<Pick<Result, "figures" | "cpu">> {
  return { figures: summarize(speeds(rates)), cpu: Math.min(...rates.map(({ cpu }) => cpu)) };
}

function speeds(rates: readonly Rate[]): readonly number[] {
  return rates.map(({ perSecond }) => perSecond);
}
