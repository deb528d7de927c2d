/** Something in the arguments of a call that has no copy in another thread, and what is to stand for it there. */
export interface StandIn {
  /** The way to it from the list of arguments. */
  readonly path: readonly (string | number)[];
  readonly type: "function" | "symbol" | "instance";
}

/** An object that is not plain, as its original was not. */
class Instance {}

/**
 * Arguments in a form that another thread gets whole. They are checked there, and what would be refused here has to be
 * refused there as well: functions, symbols and objects of a class, which would not arrive as such, have stand-ins.
 */
export function packArguments(args: readonly unknown[]): {
  readonly packed: unknown[];
  readonly standIns: readonly StandIn[];
} {
  const standIns: StandIn[] = [];
  const visited = new Set<unknown>();
  const pack = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (typeof value === "function" || typeof value === "symbol") {
      standIns.push({ path, type: typeof value as "function" | "symbol" });
      return null;
    }
    // An object that occurs twice, or in itself, is packed where it was first met.
    if (typeof value !== "object" || value === null || visited.has(value)) return value;
    visited.add(value);
    if (Array.isArray(value)) return packItems(value, path);
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      if (arrivesAsItIs(value)) return value;
      standIns.push({ path, type: "instance" });
      return packProperties({ ...value }, path);
    }
    return packProperties(value, path);
  };
  const packItems = (items: readonly unknown[], path: readonly (string | number)[]): readonly unknown[] => {
    let copy: unknown[] | undefined;
    items.forEach((item, i) => {
      const packed = pack(item, [...path, i]);
      if (packed === item) return;
      copy ??= [...items];
      copy[i] = packed;
    });
    return copy ?? items;
  };
  const packProperties = (value: object, path: readonly (string | number)[]): object => {
    let copy: Record<string, unknown> | undefined;
    for (const [key, item] of Object.entries(value)) {
      const packed = pack(item, [...path, key]);
      if (packed === item) continue;
      copy ??= { ...value };
      copy[key] = packed;
    }
    return copy ?? value;
  };
  return { packed: packItems(args, []) as unknown[], standIns };
}

/** Objects of other classes lose what they are on the way, or cannot go. */
function arrivesAsItIs(value: object): boolean {
  const types = [Date, RegExp, Map, Set, Error, ArrayBuffer, Boolean, Number, String];
  return ArrayBuffer.isView(value) || types.some((type) => value instanceof type);
}

/** Puts the stand-ins into arguments that have arrived. */
export function unpackArguments(args: unknown[], standIns: readonly StandIn[]): void {
  // Inner ones first: an object of a class is made anew with what it holds.
  for (const { path, type } of standIns.toReversed()) {
    const last = path.at(-1) as string | number;
    const owner = path.slice(0, -1).reduce<unknown>((value, key) => (value as never)[key], args);
    const target = owner as Record<string | number, unknown>;
    target[last] = standIn(type, target[last]);
  }
}

function standIn(type: StandIn["type"], value: unknown): unknown {
  if (type === "function") return () => undefined;
  if (type === "symbol") return Symbol("a symbol of the caller's");
  return Object.assign(new Instance(), value);
}
