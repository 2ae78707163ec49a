import { z } from "zod";
import type { ExportedNote, Note } from "../../notes/note.ts";
import { redactJson } from "../../redaction/redact.ts";
import { REDACTION_RULES, type RedactionRule } from "../../redaction/rules.ts";
import type { ExportedScore, Score } from "../../scores/score.ts";
import type { Services } from "../../server/services.ts";
import { type Bookmark, redactNote } from "../../session/bookmarks.ts";
import { redactPayload } from "../../session/erasure/redaction.ts";
import type { SessionEvent } from "../../session/event.ts";

/** Additional redaction of exports, beyond the server's own. */
export const redact = z
  .string()
  .transform((list) => list.split(","))
  .pipe(z.array(z.enum(REDACTION_RULES, `must be any of ${REDACTION_RULES.join(", ")}, separated by commas`)))
  .optional()
  .describe(`What to redact: any of ${REDACTION_RULES.join(", ")}, separated by commas.`);

/** The rules of an export. */
export function rulesOf(asked: readonly RedactionRule[] = [], { redaction }: Services["config"]): RedactionRule[] {
  return REDACTION_RULES.filter((rule) => asked.includes(rule) || redaction.exports.includes(rule));
}

/** Bookmarks with redacted notes. */
export function redactedBookmarks(bookmarks: readonly Bookmark[], rules: readonly RedactionRule[]): Bookmark[] {
  return bookmarks.map((one) => ({ ...one, note: redactNote(one.note, (note) => redactJson(note, rules)) }));
}

/** Scores with redacted comments and categories, without their ids. */
export function redactedScores(scores: readonly Score[], rules: readonly RedactionRule[]): ExportedScore[] {
  const redacted = (text: string | null) => redactNote(text, (value) => redactJson(value, rules));
  return scores.map(({ id: _id, value, comment, ...rest }) => ({
    ...rest,
    value: typeof value === "string" ? (redacted(value) ?? value) : value,
    comment: redacted(comment),
  }));
}

/** Notes with redacted texts, without their ids. */
export function redactedNotes(notes: readonly Note[], rules: readonly RedactionRule[]): ExportedNote[] {
  return notes.map(({ id: _id, text, ...rest }) => ({
    ...rest,
    text: redactNote(text, (value) => redactJson(value, rules)) ?? text,
  }));
}

/** Events with redacted content; ids and links stay, so that they can be imported. */
export async function* redacted(
  events: AsyncIterable<SessionEvent>,
  rules: readonly RedactionRule[],
): AsyncGenerator<SessionEvent> {
  for await (const event of events)
    yield { ...event, payload: redactPayload(event.type, event.payload, (value) => redactJson(value, rules)) };
}
