import type { Locale } from "../session/locale.ts";
import { knownObjects } from "./actions/objects.ts";
import { awaitedConfirmations } from "./confirmations.ts";
import type { DoneEntry, MemoryDocument } from "./document.ts";
import { ALL_WORDS, wordsIn } from "./words/words.ts";

const HOUR_MS = 3_600_000;
/** When a reminder is due (M10). */
const OVERDUE_HOURS = 24;

/** Problems of the memory for a model (M10): a sentence each. They never prevent a run. */
export function selfCheck(document: MemoryDocument, now: Date, locale: Locale): string[] {
  const words = wordsIn(locale);
  const hasGoal = document.goals.some((goal) => goal.trim() !== "");
  const isLost = knownObjects(document.objects).length === 0 && document.done.some(tellsOfObjects);
  const overdue = awaitedConfirmations(document).flatMap(([, { description, requested_at }]) => {
    const waited = now.getTime() - Date.parse(requested_at);
    return waited > OVERDUE_HOURS * HOUR_MS ? [words.overdue(description, Math.floor(waited / HOUR_MS))] : [];
  });
  const nameless = document.in_progress.filter(({ description }) => (description ?? "").trim() === "").length;
  return [
    ...(hasGoal ? [] : [words.noGoals]),
    ...(isLost ? [words.noObjects] : []),
    ...overdue,
    ...(nameless > 0 ? [words.nameless(nameless)] : []),
  ];
}

/** Entries name objects by id; those of lists have no id, and describe them in words. */
function tellsOfObjects({ description, object_ids }: DoneEntry): boolean {
  const named = Object.values(object_ids).some((id) => id !== null);
  return named || ALL_WORDS.some(({ madeOrViewed }) => madeOrViewed.test(description));
}
