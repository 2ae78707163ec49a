import type { Locale } from "../session/locale.ts";
import { knownObjects } from "./actions/objects.ts";
import { clip } from "./clip.ts";
import { awaitedConfirmations } from "./confirmations.ts";
import type { MemoryDocument } from "./document.ts";
import { wordsIn } from "./words/words.ts";

/** So many of what was done last (M12). */
const LAST_DONE = 3;

/**
 * The memory as a short text for a model (M12): awaited confirmations, goals, current ids, the last of what was done.
 * They stand in the order of their weight, so that a text of more than `limit` characters (UTF-16 units) loses its end.
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

/** A line each: what a person wrote in several lines stays one entry. */
function listed(heading: string, entries: string[]): string {
  const lines = entries.map((entry) => entry.replace(/\s+/g, " ").trim()).filter((entry) => entry !== "");
  return lines.length > 0 ? [heading, ...lines.map((line) => `- ${line}`)].join("\n") : "";
}
