import type { LanguageModelChoice } from "../language/model.ts";
import { type ResolvedModel, resolveLanguageModel } from "../language/resolve.ts";
import { isOverBudget } from "../language/usage.ts";
import type { Clock } from "../model/clock.ts";
import { FluxError } from "../model/errors.ts";
import { type FailureCause, failureCause } from "../model/failure.ts";
import { within } from "../recall/within.ts";
import { Ahead } from "./extract-ahead.ts";
import type { FluxDegradation } from "./flux.ts";

export const extractorUnavailable: FluxDegradation = {
  code: "extractor_unavailable",
  reason:
    "The language model does not answer, so texts are kept as they are and no statements are derived from them",
};

/** Milliseconds for which it holds that a model does not answer. Then it may be back, so that jobs are enqueued again. */
const knownFor = 60_000;
/** Milliseconds after which a write has a model that did not answer looked for again. */
const lookAgainAfter = 15_000;

interface Known {
  readonly available: boolean;
  readonly cause?: FailureCause;
  /** When it was found out, in milliseconds. */
  readonly at: number;
}

/** The language model of an open memory, and what is known of whether it answers. Nobody who writes waits for either. */
export class Extraction {
  readonly model: ResolvedModel;
  readonly ahead = new Ahead();
  readonly #clock: Clock;
  readonly #stop: AbortSignal;
  #known: Known | undefined;
  #overBudget = false;
  #look: Promise<void> | undefined;

  /**
   * @param stop ends looks under way
   * @throws FluxTypeError or FluxError `invalid_argument` for what is no model
   */
  constructor(
    choice: LanguageModelChoice,
    { clock, stop }: { readonly clock: Clock; readonly stop: AbortSignal },
  ) {
    this.model = resolveLanguageModel(choice);
    this.#clock = clock;
    this.#stop = stop;
  }

  /** Whether the model answers, as far as that is known; and if not, why. */
  get availability(): Omit<Known, "at"> | undefined {
    const { available, cause, at } = this.#known ?? {};
    if (available === undefined || (!available && this.#age(at) >= knownFor)) return undefined;
    return { available, ...(cause === undefined ? {} : { cause }) };
  }

  /** Whether the budget refused the last call. */
  get overBudget(): boolean {
    return this.#overBudget;
  }

  /** As `availability`; has the model looked for again if that is some time ago and it did not answer. */
  ask(): Omit<Known, "at"> | undefined {
    const known = this.#known;
    if (known?.available === false && this.#age(known.at) >= lookAgainAfter) this.look();
    return this.availability;
  }

  /** Looks for the model in the background, unless that is under way. */
  look(): void {
    this.#look ??= this.#find().finally(() => {
      this.#look = undefined;
    });
  }

  /** Ends when no look is under way. */
  async settled(): Promise<void> {
    await this.#look;
  }

  async #find(): Promise<void> {
    try {
      const { probe } = await within({ timeout: this.model.timeout, stop: this.#stop }, () =>
        this.model.load(),
      );
      if (probe === undefined) return;
      await probe(this.#stop);
      this.answered();
    } catch (error) {
      this.failed(error);
    }
  }

  answered(): void {
    this.#overBudget = false;
    this.#known = { available: true, at: this.#clock.now() };
  }

  /** Takes note of why a call failed. A single answer that is of no use, or late, says nothing about the next one. */
  failed(error: unknown): void {
    if (this.#stop.aborted) return;
    this.#overBudget = isOverBudget(error);
    if (!(FluxError.isInstance(error) && absent.has(error.code))) return;
    this.#known = { available: false, cause: failureCause(error), at: this.#clock.now() };
  }

  /** A clock that was set back must not make it last. */
  #age(at = 0): number {
    return Math.abs(this.#clock.now() - at);
  }
}

/** Codes of failures that the next call will most likely have as well. */
const absent: ReadonlySet<string> = new Set<FluxError["code"]>([
  "unavailable",
  "unauthorized",
  "missing_package",
  "invalid_argument",
]);
