import type { Metadata } from "../model/metadata.ts";
import type { Ref } from "../model/record.ts";
import { contentKey } from "./content-key.ts";
import { defined } from "./draft.ts";
import type { CheckedStatement } from "./extract-check.ts";
import type { SourceText } from "./extract-sources.ts";
import { withoutCaption } from "./indexed-text.ts";
import type { Draft } from "./store-items.ts";

/** The form of texts that are statements. */
export const statementForm = "statement";

/** What a statement takes over of what can change of its source, so that the same conditions find both. */
export interface TakenOver {
  readonly metadata?: Metadata | undefined;
  readonly expiresAt?: number | undefined;
}

/** Without the caption, whose words are searched: they say something about the source. */
export function takenOver({ metadata, expiresAt }: TakenOver): TakenOver {
  return { metadata: withoutCaption(metadata), expiresAt };
}

/** A statement as a text with the labels and the time of what states it. */
export function statementDraft({
  text,
  source: { record, source, saidAt },
}: CheckedStatement<SourceText>): Draft {
  const { sessionId, agentId } = record;
  const provenance = "ai_inferred" as const;
  const taken = defined({ sessionId, agentId, ...takenOver(record) });
  return {
    at: saidAt,
    record: {
      kind: "text",
      value: {
        ...taken,
        form: statementForm,
        content: text,
        contentKey: statementKey(text, source),
        provenance,
      },
    },
    grain: { ...taken, provenance },
  };
}

/** Of one source each, so that it goes with that one, and never counts as a note that somebody stored. */
export function statementKey(text: string, { kind, id }: Ref): string {
  return contentKey(text, { provenance: "statement", author: `${kind}/${id}` });
}
