import { FluxError } from "../../../model/errors.ts";
import type { SearchRead } from "../../driver.ts";
import { hasConditions } from "../../sql/conditions.ts";
import type { Row } from "../../table.ts";
import { decodeVector } from "../../vector-bytes.ts";
import { type StoredVector, VectorCache } from "../../vector-cache.ts";
import type { SchemaNames } from "../names.ts";
import type { Session, TextRow } from "../session.ts";
import { conditionsSql } from "./conditions.ts";
import { type Form, loop } from "./form.ts";
import { decodeGrain, grainColumns } from "./grain-rows.ts";
import { onlyRow } from "./only-row.ts";

type Nearest = Extract<SearchRead, { readonly type: "nearest" }>;
type Best = readonly { readonly grainId: string; readonly similarity: number }[];

/** What a search in process begins with: how much there is, what may be found, and vectors that the cache did not have. */
interface Beginning {
  readonly partition: number;
  readonly dimensions: number;
  readonly count: number;
  readonly removed: number;
  /** The position behind which the page begins. */
  readonly after: number;
  readonly page: Page | null;
  /** Ids; null where all are. */
  readonly allowed: readonly string[] | null;
}

type Page = readonly (readonly [position: number, grainId: string, vector: string])[];

/** Bytes of vectors that one statement reads. */
const pageBytes = 16 * 1024 * 1024;

function pageSize({ vector }: Nearest): number {
  return Math.max(1, Math.floor(pageBytes / (4 * vector.length)));
}

/** A page of a space's vectors in a partition, from a row `b` that says which. */
function pageText(names: SchemaNames): string {
  return `(
      select json_agg(json_build_array(v."position", v."grain_id", v.bytes)) from (
        select "position", "grain_id", encode("vector", 'base64') as bytes from ${names.vector}
        where "partition" = b."partition" and "space" = b."space" and "position" > b."after"
        order by "position" limit b."limit"
      ) v
    )`;
}

/**
 * The beginning of a search by vector where PostgreSQL has no vectors of its own; `finishNearest` goes on with its row.
 *
 * @param key what the cache calls the partition's vectors in the space
 */
export function nearestBeginning(names: SchemaNames, cache: VectorCache, key: string, read: Nearest): Form {
  const { space, where, now } = read;
  const conditions = conditionsSql(where, now);
  const list = `coalesce((
      select json_agg("id") from ${names.grain} where "partition" = p."id" and ${conditions.text}
    ), '[]')`;
  const expired = `(
      select true from ${names.grain} where "expires_at" <= q."now" and "partition" = p."id"
      order by "expires_at" limit 1
    )`;
  const text = `
    select b.*, ${pageText(names)} as "page",
      ${hasConditions(where) ? list : `case when ${expired} then ${list} end`} as "allowed"
    from (
      select p."id" as "partition", s."id" as "space", s."dimensions", z."entries" as "count", z."removed",
        case when z."removed" = q."removed" then q."after" else 0 end as "after", q."limit"
      from ${names.space} s join ${names.indexSize} z on z."space" = s."id" and z."partition" = p."id"
      where s."id" = q."space"
    ) b`;
  const { removed, position } = cache.known(key) ?? { removed: -1, position: 0 };
  return {
    key: `nearest ${hasConditions(where)} ${conditions.text}`,
    expression: (parameter) =>
      loop(
        parameter,
        {
          ...{ space: "bigint", removed: "bigint", after: "bigint", limit: "bigint", now: "bigint" },
          ...conditions.types,
        },
        text,
      ),
    values: { space, removed, after: position, limit: pageSize(read), now, ...conditions.values },
    decode: (object) => [object],
  };
}

/**
 * Finds the nearest vectors and reads their grains, in the snapshot of the beginning.
 *
 * @param begun the rows of the beginning
 * @throws FluxError `dimension_mismatch`
 */
export async function finishNearest(
  session: Session,
  names: SchemaNames,
  { cache, key }: { readonly cache: VectorCache; readonly key: string },
  read: Nearest,
  begun: readonly Row[],
): Promise<readonly Row[]> {
  const [beginning] = begun as unknown as readonly Beginning[];
  if (beginning === undefined || beginning.count === 0) return [];
  if (beginning.dimensions !== read.vector.length) {
    throw new FluxError(
      "dimension_mismatch",
      `The space has vectors of ${beginning.dimensions} numbers, not of ${read.vector.length}`,
    );
  }
  const pages = new Pages(session, names, read, beginning);
  const allowed = beginning.allowed === null ? undefined : new Set(beginning.allowed);
  const options = { limit: read.limit, allowed };
  const best =
    beginning.count * read.vector.length * 4 <= cache.maxBytes
      ? await withCache(pages, cache, key, read.vector, options)
      : await withoutCache(pages, read.vector, options);
  return readGrains(session, names, beginning.partition, best);
}

interface SearchOptions {
  readonly limit: number;
  readonly allowed: ReadonlySet<string> | undefined;
}

async function withCache(
  pages: Pages,
  cache: VectorCache,
  key: string,
  vector: Float32Array,
  options: SearchOptions,
): Promise<Best> {
  const { count, removed, after } = pages.beginning;
  let loaded = await pages.allAfter(after);
  // Another search, of another snapshot, may have changed what the cache has meanwhile.
  const known = cache.known(key);
  const usable = known?.removed === removed && known.count <= count && known.position >= after;
  if (!usable && after > 0) loaded = await pages.allAfter(0);
  const load = (position: number) => loaded.filter((stored) => stored.position > position);
  return cache.nearest(key, { count, removed, load }, vector, options);
}

/** Vectors that are too many for memory, a page at a time. */
async function withoutCache(pages: Pages, vector: Float32Array, options: SearchOptions): Promise<Best> {
  let best: Best = [];
  for await (const page of pages.after(0)) {
    const source = { count: page.length, removed: 0, load: () => page };
    const found = new VectorCache().nearest("", source, vector, options);
    // Of equal ones the later is better, as within a page.
    best = [...found, ...best].sort((a, b) => b.similarity - a.similarity).slice(0, options.limit);
  }
  return best;
}

/** The pages of a space's vectors in a partition. */
class Pages {
  readonly beginning: Beginning;
  readonly #session: Session;
  readonly #names: SchemaNames;
  readonly #read: Nearest;

  constructor(session: Session, names: SchemaNames, read: Nearest, beginning: Beginning) {
    this.#session = session;
    this.#names = names;
    this.#read = read;
    this.beginning = beginning;
  }

  async allAfter(position: number): Promise<StoredVector[]> {
    const all: StoredVector[] = [];
    for await (const page of this.after(position)) all.push(...page);
    return all;
  }

  async *after(position: number): AsyncGenerator<readonly StoredVector[]> {
    const { after, page } = this.beginning;
    let last = position;
    let vectors = position === after ? decodePage(page) : await this.#load(last);
    while (vectors.length > 0) {
      yield vectors;
      if (vectors.length < pageSize(this.#read)) return;
      last = vectors.at(-1)?.position ?? last;
      vectors = await this.#load(last);
    }
  }

  async #load(after: number): Promise<readonly StoredVector[]> {
    const { partition } = this.beginning;
    const text = `select ${pageText(this.#names)} from (
        select $1::integer as "partition", $2::bigint as "space", $3::bigint as "after", $4::bigint as "limit"
      ) b`;
    const values = [partition, this.#read.space, after, pageSize(this.#read)];
    const [[json] = [] as TextRow] = await this.#session.query(text, values);
    return decodePage(json == null ? null : JSON.parse(json));
  }
}

function decodePage(page: Page | null): readonly StoredVector[] {
  return (page ?? []).map(([position, grainId, vector]) => ({
    position,
    grainId,
    vector: decodeVector(Buffer.from(vector, "base64")),
  }));
}

async function readGrains(
  session: Session,
  names: SchemaNames,
  partition: number,
  best: Best,
): Promise<readonly Row[]> {
  if (best.length === 0) return [];
  const text = `
    select json_agg(r) from (
      select t.place, g.* from json_array_elements_text($2) with ordinality t(id, place)
      cross join lateral (
        select ${grainColumns} from ${names.grain} where "partition" = $1::integer and ${onlyRow("id", "t.id")} limit 1
      ) g
    ) r`;
  const ids = JSON.stringify(best.map(({ grainId }) => grainId));
  const [[json] = [] as TextRow] = await session.query(text, [partition, ids]);
  const rows: readonly Readonly<Record<string, unknown>>[] = json == null ? [] : JSON.parse(json);
  return rows
    .map(({ place, ...grain }) => ({
      grain: decodeGrain(grain),
      similarity: best[(place as number) - 1]?.similarity as number,
    }))
    .sort((a, b) => b.similarity - a.similarity || (b.grain.seq as number) - (a.grain.seq as number));
}
