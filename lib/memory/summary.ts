import type { Locale } from "../session/locale.ts";
import { knownObjects } from "./actions/objects.ts";
import { clip } from "./clip.ts";
import { awaitedConfirmations } from "./confirmations.ts";
import type { MemoryDocument } from "./document.ts";
import { wordsIn } from "./words/words.ts";

/** How many of the last `done` entries are included (M12). */
const LAST_DONE = 3;

/**
 * The memory as a short text for a model (M12): pending confirmations, goals, current ids, the last `done` entries.
 * Ordered by importance, as a text of more than `limit` characters (UTF-16 units) is cut at its end.
 */
export function summarize(document: MemoryDocument, { limit, locale }: { limit: number; locale: Locale }): string {
  const words = wordsIn(locale);
  const asked = awaitedConfirmations(document).map(([key, { description, requested_at }]) =>
    words.asked(description, key, requested_at),
  );
  const done = document.done.slice(-LAST_DONE).map(({ timestamp, description }) => `${timestamp} ${description}`);
  const objects = knownObjects(document.objects);
  const sections = [
    listed(words.awaited, asked),
    listed(words.goals, document.goals),
    objects.length > 0 ? words.known(objects) : "",
    listed(words.done, done),
  ];
  return clip(sections.filter((section) => section !== "").join("\n"), limit);
}

/** One line each: entries with several lines stay one entry. */
function listed(heading: string, entries: string[]): string {
  const lines = entries.map((entry) => entry.replace(/\s+/g, " ").trim()).filter((entry) => entry !== "");
  return lines.length > 0 ? [heading, ...lines.map((line) => `- ${line}`)].join("\n") : "";
}
