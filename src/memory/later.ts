import { copyGiven } from "../model/copy-given.ts";

type Methods<T> = {
  [K in keyof T as T[K] extends (...args: never[]) => Promise<unknown> ? K : never]: T[K];
};

/**
 * An object with the methods of one that is there later: each call goes to it, with what it was given when it was made.
 *
 * @param run makes a call, whose options are what it was given last
 * @param names the methods, all of them
 */
export function later<T extends object>(
  run: <R>(call: (target: T) => Promise<R>, options: unknown) => Promise<R>,
  names: { readonly [K in keyof Methods<T>]-?: true },
): Methods<T> {
  const methods = Object.keys(names).map((name) => {
    const forward = (...args: readonly unknown[]) => {
      const given = args.map(copyGiven);
      return run(async (target) => {
        const method: unknown = Reflect.get(target, name);
        return typeof method === "function" ? Reflect.apply(method, target, given) : undefined;
      }, given.at(-1));
    };
    return [name, forward];
  });
  return Object.fromEntries(methods) as Methods<T>;
}
