import type { Kind } from "../schema.ts";
import { followed, linkName, type ModelLink, type PartitionModel, refOf } from "./partition-model.ts";

/** What an erasure should do, by the rules of decision 0004, applied again and again until nothing changes. */
export interface ErasureOutcome {
  readonly counts: Readonly<Record<string, number>>;
  /** Jobs to derive anew, as `kind id <- sources`. */
  readonly derive: readonly string[];
}

const unmarkedKinds: readonly string[] = ["conduit", "trace", "feedback"];

/** Erases everything in the model. */
export function eraseEverything(model: PartitionModel, now: number): ErasureOutcome {
  const counts: Record<string, number> = {};
  const count = (name: string, by = 1): void => {
    if (by > 0) counts[name] = (counts[name] ?? 0) + by;
  };
  for (const { kind } of model.records.values()) count(kind);
  count("job", model.jobs.size);
  count("link", model.links.size);
  model.records.clear();
  model.links.clear();
  model.jobs.clear();
  model.purges.clear();
  model.seq += 1;
  advance(model, now, model.generation + 1);
  model.changes = [{ items: ["erase_all partition "], ordered: true }];
  return { counts, derive: [] };
}

/**
 * Erases the named records, with what goes with them, and all traces. Where they have `expired`, traces stay, and nothing
 * that is under way is overtaken.
 */
export function eraseNames(
  model: PartitionModel,
  requested: readonly string[],
  { now, expired = false }: { readonly now: number; readonly expired?: boolean },
): ErasureOutcome {
  const asked = new Set(requested);
  const { gone, goneJobs, links } = closureOf(model, asked, () => false);
  return applyErasure(model, { asked, gone, goneJobs, links, now, expired });
}

/**
 * What goes with the named records.
 *
 * @param isHidden what gives no ground, though it is there
 */
export function closureOf(
  model: PartitionModel,
  asked: ReadonlySet<string>,
  isHidden: (name: string) => boolean,
): {
  readonly gone: Set<string>;
  readonly goneJobs: ReadonlySet<string>;
  readonly links: readonly ModelLink[];
} {
  const gone = new Set([...asked].filter((name) => model.records.has(name)));
  const goneJobs = new Set<string>();
  const links = [...model.links.values()];
  const isGone = (name: string): boolean => gone.has(name) || isHidden(name);
  for (let before = -1; before < gone.size + goneJobs.size; ) {
    before = gone.size + goneJobs.size;
    for (const [name, { kind, record }] of model.records) {
      const grounds = links.filter(({ derived, role }) => derived === name && role === "source");
      if (followed(kind, record).some((other) => gone.has(other))) gone.add(name);
      else if (kind !== "fact" && grounds.some(({ source }) => gone.has(source))) gone.add(name);
    }
    const grounded = groundedFacts(model, links, { gone, isGone });
    const lost = new Set(links.filter(({ source }) => gone.has(source)).map(({ derived }) => derived));
    for (const name of lost) {
      if (name.startsWith("fact ") && !grounded.has(name)) gone.add(name);
      if (name.startsWith("job ")) {
        const left = links.filter(({ derived, source }) => derived === name && !isGone(source));
        const rests = left.some(({ source }) => !source.startsWith("fact ") || grounded.has(source));
        if (!rests && model.jobs.has(refOf(name).id)) goneJobs.add(name);
      }
    }
  }
  return { gone, goneJobs, links };
}

/** Facts that stand on something: their own statement, something that is no fact, or a fact that stands. */
function groundedFacts(
  model: PartitionModel,
  links: readonly ModelLink[],
  { gone, isGone }: { readonly gone: ReadonlySet<string>; readonly isGone: (source: string) => boolean },
): ReadonlySet<string> {
  const grounded = new Set<string>();
  const facts = [...model.records].filter(([name, { kind }]) => kind === "fact" && !gone.has(name));
  for (let before = -1; before < grounded.size; ) {
    before = grounded.size;
    for (const [name] of facts) {
      const grounds = links.filter(({ derived, role }) => derived === name && role === "source");
      const stands = grounds.some(
        ({ source }) => !isGone(source) && (!source.startsWith("fact ") || grounded.has(source)),
      );
      if (grounds.length === 0 || stands) grounded.add(name);
    }
  }
  return grounded;
}

function applyErasure(
  model: PartitionModel,
  {
    asked,
    gone,
    goneJobs,
    links,
    now,
    expired,
  }: {
    readonly asked: ReadonlySet<string>;
    readonly gone: Set<string>;
    readonly goneJobs: ReadonlySet<string>;
    readonly links: readonly ModelLink[];
    readonly now: number;
    readonly expired: boolean;
  },
): ErasureOutcome {
  const lostLinks = links.filter(
    ({ derived, source }) => gone.has(derived) || gone.has(source) || goneJobs.has(derived),
  );
  const changed = new Set(lostLinks.map(({ derived }) => derived));
  const leftOf = (name: string): ModelLink[] =>
    links.filter(({ derived, source }) => derived === name && !gone.has(source));
  const derive: { readonly name: string; readonly left: readonly ModelLink[] }[] = [];
  const survivors: string[] = [];
  for (const name of changed) {
    if (name.startsWith("job ")) continue;
    const left = leftOf(name);
    if (!gone.has(name)) {
      survivors.push(name);
      derive.push({ name, left });
    } else if (!asked.has(name) && (left.length > 0 || name.startsWith("fact "))) {
      // What went because it lost a source, rather than because it was asked for.
      if (links.some(({ derived, source }) => derived === name && gone.has(source)))
        derive.push({ name, left });
    }
  }
  if (!expired) for (const [name, { kind }] of model.records) if (kind === "trace") gone.add(name);

  const counts: Record<string, number> = {};
  const count = (name: string, by = 1): void => {
    if (by > 0) counts[name] = (counts[name] ?? 0) + by;
  };
  const generation = model.generation + (expired ? 0 : 1);
  const jobs = derive.map(({ name, left }) => {
    const { kind, id } = refOf(name);
    const factId = model.records.get(name)?.record.factId;
    const payload = { kind, id, ...(kind === "fact" ? { thread: factId } : {}) };
    return { name, left, payload };
  });
  for (const name of gone) count(model.records.get(name)?.kind as Kind);
  count("job", goneJobs.size);
  count("link", lostLinks.length);
  for (const name of [...asked, ...gone])
    if (!unmarkedKinds.includes(refOf(name).kind)) model.markers.add(name);
  for (const name of gone) model.records.delete(name);
  for (const { records } of model.purges.values()) for (const name of gone) records.delete(name);
  for (const name of goneJobs) model.jobs.delete(refOf(name).id);
  for (const link of lostLinks) model.links.delete(linkName(link));
  model.seq += gone.size + survivors.length + jobs.length;
  advance(model, now, generation);
  model.changes.push({
    items: [...[...gone].map((name) => `delete ${name}`), ...survivors.map((name) => `update ${name}`)],
    ordered: false,
  });
  return { counts, derive: jobs.map(({ payload, left }) => described(payload, left)).sort() };

  function described(payload: object, left: readonly ModelLink[]): string {
    return `${generation} ${JSON.stringify(payload)} <- ${left.map(({ source, role }) => `${role} ${source}`).sort()}`;
  }
}

function advance(model: PartitionModel, now: number, generation: number): void {
  model.recordedAt = Math.max(now, model.recordedAt);
  model.generation = generation;
  model.exists = true;
}
