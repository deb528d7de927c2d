import { InvalidArgumentError } from "commander";

/** What commander reads an option with that is a whole number in a range, both ends included. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  const digits = String(most).length;
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && text.length <= digits && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}
