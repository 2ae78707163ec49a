import { awaitedConfirmations } from "./confirmations.ts";
import type { Confirmation, DoneEntry, MemoryDocument, Objects, Step } from "./document.ts";

const LAST_DONE = 5;
const FIRST_CONFIRMATIONS = 5;

/** A shortened document. Missing keys are left out, not empty. */
export type CutDocument = {
  done: DoneEntry[];
  in_progress: Step[];
  objects: Objects;
  confirmations: Record<string, Confirmation>;
};

/**
 * The document for a model (M12): unchanged if its JSON has at most `limit` characters, else the last 5 of `done`,
 * `in_progress`, `objects` and the first 5 pending confirmations. These rules do not guarantee the limit.
 */
export function cutDocument(document: MemoryDocument, limit: number): MemoryDocument | CutDocument {
  if (JSON.stringify(document).length <= limit) return document;
  return {
    done: document.done.slice(-LAST_DONE),
    in_progress: document.in_progress,
    objects: document.objects,
    confirmations: Object.fromEntries(awaitedConfirmations(document).slice(0, FIRST_CONFIRMATIONS)),
  };
}
