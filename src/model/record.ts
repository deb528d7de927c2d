import * as z from "zod";
import { idProblem } from "./ids.ts";
import { metadataSchema } from "./metadata.ts";
import { provenances } from "./provenances.ts";

/** A moment in milliseconds since 1970-01-01T00:00:00Z, as a whole number; negative before that. */
export const timestampSchema = z.int().min(-8.64e15).max(8.64e15);

/** An id inside a record, see `checkId`. */
export const idSchema = z.string().superRefine((value, context) => {
  const problem = idProblem(value);
  if (problem !== undefined)
    context.addIssue({ code: "custom", message: problem, params: { code: "invalid_id" } });
});

/** What the ledger adds to every record; never given by a caller. */
export interface Stamp {
  /** Unique within the partition and the kind; follows from the operation that inserted the record unless given. */
  readonly id: string;
  /** Place in the partition's order of all writes: strictly increasing, with gaps. */
  readonly seq: number;
  /** `seq` of the last write to the record; equal to `seq` until it is changed. */
  readonly updatedSeq: number;
  /** When the record was inserted, by the injected clock; never goes back within a partition. */
  readonly recordedAt: number;
  /** Present when text had lone surrogates or NUL, which were replaced by U+FFFD. */
  readonly repaired?: true | undefined;
}

/** A record as the ledger returns it. */
export type Stored<T> = Readonly<T> & Stamp;

/** Names one record of a partition. */
export interface Ref {
  readonly kind: string;
  readonly id: string;
}

/** Whether two name the same record. */
export function isSameRef(a: Ref, b: Ref): boolean {
  return a.kind === b.kind && a.id === b.id;
}

/** The role of a source that gives a record its ground: without one, it goes. */
export const groundRole = "source";

/** A record that another one, or a job, rests on. */
export interface Source extends Ref {
  /**
   * `source` (the default): it says what the record says. Any other role, such as `supports` or `closed`, only had a part in
   * it: when such a source is erased, the record stays and is derived anew.
   */
  readonly role?: string | undefined;
  /** First UTF-16 unit of the part that was used, and the one after its last. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** Labels inside a partition; indexed, never a boundary. */
export const labelFields = {
  sessionId: idSchema.optional(),
  agentId: idSchema.optional(),
};

export const metadataFields = { metadata: metadataSchema.optional() };

/** Time to live: the record is invisible from this moment on, and erased soon after. */
export const expiryFields = { expiresAt: timestampSchema.optional() };

export const provenanceSchema = z.enum(provenances);
/** Who stands behind a text. */
export type Provenance = z.infer<typeof provenanceSchema>;
