import { z } from "zod";
import type { NewEvent } from "../../db/repositories.ts";
import { type ExportedNote, LONGEST_NOTE_TEXT, LONGEST_PATH, MOST_NOTES } from "../notes/note.ts";
import { pointerTo } from "../plan/problem.ts";
import { type ExportedScore, MOST_SCORES } from "../scores/score.ts";
import { score } from "../scores/score-schema.ts";
import { type Bookmark, bookmarksOf, isBookmarking, LONGEST_NOTE } from "../session/bookmarks.ts";
import type { SessionEvent } from "../session/event.ts";
import { identifier, plainText } from "../session/events/catalogue.ts";
import { sentence } from "../session/issues.ts";
import { isJsonObject, type Json } from "../session/json/json.ts";
import { jsonValue } from "../session/json/json-schema.ts";
import { ImportError } from "./import-error.ts";
import { EVENT_DEPTH, type ImportFormat } from "./import-format.ts";
import { eventProblems, type ImportedConversation, newEvent } from "./new-event.ts";
import { Renaming } from "./renaming.ts";

/** The name of the native format in its first line. */
const EXPORT_FORMAT = "obelus.conversation";
/**
 * Version 2 has bookmarks after the events, version 3 scores and notes after those. Without them, an export has version 1, which older
 * servers can read.
 */
const VERSIONS = [1, 2, 3] as const;

/**
 * The first line of an export. `last_seq` and the numbers of `bookmarks`, `scores` and `notes` detect truncated files. Without `bookmarks` it
 * comes from a server that stored them as events.
 */
const header = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(VERSIONS, `must be one of ${VERSIONS.join(", ")}; update this server to read a newer export`),
  conversation: z.object({
    id: identifier,
    last_seq: z.int().min(0),
    bookmarks: z.int().min(0).optional(),
    scores: z.int().min(0).default(0),
    notes: z.int().min(0).default(0),
  }),
});

const id = identifier.nullable();
const time = z.iso.datetime("must be a time in UTC such as 2026-11-26T15:00:00.000Z");

/** An event as returned by the API. Its position and origin belong to the other server and are ignored. */
const exportedEvent = z.strictObject({
  id: identifier,
  conversation_id: identifier,
  seq: z.int().min(1),
  position: z.int().optional(),
  recorded_by: z.string().optional(),
  type: identifier,
  actor: id,
  agent_id: id,
  run_id: id,
  parent_run_id: id,
  caused_by: id,
  payload: jsonValue,
  occurred_at: time.nullable(),
  recorded_at: time,
});

/** A line after the events. */
const exportedBookmark = z.strictObject({
  bookmark: z.strictObject({
    seq: z.int().min(1),
    note: z.string().max(LONGEST_NOTE).nullable(),
    by: id,
    at: time,
    set_seq: z.int().min(1),
  }),
});

const exportedNote = z.strictObject({
  note: z.strictObject({
    seq: z.int().min(1).nullable(),
    run_id: id,
    call_id: id,
    path: plainText.max(LONGEST_PATH).nullable(),
    text: plainText.max(LONGEST_NOTE_TEXT),
    mentions: z.array(plainText.max(200)).max(100),
    by: id,
    at: time,
  }),
});

const exportedScore = z.strictObject({ score: score.omit({ id: true }) });

/** The header data of an export. */
export interface ExportedConversation {
  id: string;
  last_seq: number;
  bookmarks: readonly Bookmark[];
  scores: readonly ExportedScore[];
  notes: readonly ExportedNote[];
}

/**
 * Writes a conversation in the native format, line by line: the header, each event as returned by the API without
 * position and origin, so that a copy on another server exports to the same text, then each bookmark, score and note.
 */
export async function* writeExport(
  conversation: ExportedConversation,
  events: AsyncIterable<SessionEvent> | Iterable<SessionEvent>,
): AsyncGenerator<string> {
  const { id, last_seq, bookmarks, scores, notes } = conversation;
  const version = scores.length + notes.length > 0 ? 3 : bookmarks.length > 0 ? 2 : 1;
  const counts = {
    bookmarks: bookmarks.length,
    ...(scores.length > 0 && { scores: scores.length }),
    ...(notes.length > 0 && { notes: notes.length }),
  };
  const told = { format: EXPORT_FORMAT, version, conversation: { id, last_seq, ...counts } };
  yield `${JSON.stringify(told)}\n`;
  for await (const { position: _position, recorded_by: _by, ...event } of events) yield `${JSON.stringify(event)}\n`;
  for (const bookmark of bookmarks) yield `${JSON.stringify({ bookmark })}\n`;
  for (const score of scores) yield `${JSON.stringify({ score })}\n`;
  for (const note of notes) yield `${JSON.stringify({ note })}\n`;
}

/** The native format; a file may contain several exports. */
export const exportFormat: ImportFormat = {
  recognizes: isHeader,
  depth: EVENT_DEPTH,
  numbers: "refused",
  mostHeld: Number.POSITIVE_INFINITY,
  async *read(entries) {
    let reader: ExportReader | null = null;
    let last: number | null = null;
    for await (const { value, line } of entries) {
      if (reader && !isHeader(value)) reader.add(value, line);
      else {
        if (reader) yield reader.end(last);
        reader = new ExportReader(value, line);
      }
      last = line;
    }
    if (reader) yield reader.end(last);
  },
};

function isHeader(value: Json): boolean {
  return isJsonObject(value) && value.format === EXPORT_FORMAT;
}

/** Reads an export, line by line, as untrusted input. Throws `ImportError`. */
export class ExportReader {
  private readonly id: string;
  private readonly lastSeq: number;
  private readonly ids = new Set<string>();
  private readonly events: NewEvent[] = [];
  /** The announced number of bookmarks; null if they are events. */
  private readonly promised: number | null;
  private readonly marking: SessionEvent[] = [];
  private readonly bookmarks: Bookmark[] = [];
  private readonly promisedScores: number;
  private readonly scores: ExportedScore[] = [];
  private readonly promisedNotes: number;
  private readonly notes: ExportedNote[] = [];

  /** Starts with the header. */
  constructor(value: Json, line: number | null) {
    const { conversation } = parse(header, value, line);
    this.id = conversation.id;
    this.lastSeq = conversation.last_seq;
    this.promised = conversation.bookmarks ?? null;
    this.promisedScores = conversation.scores;
    this.promisedNotes = conversation.notes;
  }

  /** Processes the next line. */
  add(value: Json, line: number | null): void {
    if (this.promised !== null && isJsonObject(value) && "bookmark" in value) return this.addBookmark(value, line);
    if (this.promisedScores > 0 && isJsonObject(value) && "score" in value) return this.addScore(value, line);
    if (this.promisedNotes > 0 && isJsonObject(value) && "note" in value) return this.addNote(value, line);
    const { position: _position, recorded_by: _by, seq, conversation_id, ...event } = parse(exportedEvent, value, line);
    const expected = this.events.length + 1;
    if (seq !== expected) throw new ImportError(`seq is ${seq}, expected ${expected}`, { line, path: "/seq" });
    if (conversation_id !== this.id) {
      throw new ImportError(`conversation_id is not ${this.id}, the conversation of this export`, {
        line,
        path: "/conversation_id",
      });
    }
    if (this.ids.has(event.id))
      throw new ImportError(`the id ${event.id} appears twice in this export`, { line, path: "/id" });
    const [problem] = eventProblems(event);
    if (problem) throw new ImportError(named(problem), { line, path: pointerTo(problem.path) });
    this.ids.add(event.id);
    this.events.push({ ...event, conversation_id });
    if (this.promised === null && isBookmarking(event.type))
      this.marking.push({ ...event, conversation_id, seq, position: seq });
  }

  private addBookmark(value: Json, line: number | null): void {
    const { bookmark } = parse(exportedBookmark, value, line);
    for (const name of ["seq", "set_seq"] as const)
      if (bookmark[name] > this.lastSeq)
        throw new ImportError(`${name} is ${bookmark[name]} where ${this.lastSeq} is the last step`, {
          line,
          path: `/bookmark/${name}`,
        });
    const before = this.bookmarks.at(-1)?.seq ?? 0;
    if (bookmark.seq <= before)
      throw new ImportError(`seq is ${bookmark.seq} where a step after ${before} has to follow`, {
        line,
        path: "/bookmark/seq",
      });
    this.bookmarks.push(bookmark);
  }

  private addScore(value: Json, line: number | null): void {
    const { score } = parse(exportedScore, value, line);
    if ((score.seq ?? 0) > this.lastSeq)
      throw new ImportError(`seq is ${score.seq} where ${this.lastSeq} is the last step`, { line, path: "/score/seq" });
    if (this.scores.length >= MOST_SCORES)
      throw new ImportError(`a conversation has at most ${MOST_SCORES} scores`, { line, path: "/score" });
    this.scores.push(score);
  }

  private addNote(value: Json, line: number | null): void {
    const { note } = parse(exportedNote, value, line);
    if ((note.seq ?? 0) > this.lastSeq)
      throw new ImportError(`seq is ${note.seq} where ${this.lastSeq} is the last step`, { line, path: "/note/seq" });
    if (this.notes.length >= MOST_NOTES)
      throw new ImportError(`a conversation has at most ${MOST_NOTES} notes`, { line, path: "/note" });
    this.notes.push(note);
  }

  /** Ends the export after its last line. */
  end(line: number | null): ImportedConversation {
    const { length } = this.events;
    if (length !== this.lastSeq) {
      throw new ImportError(
        `the export ends at event ${length} of ${this.lastSeq}: it is incomplete, export it again`,
        {
          line,
        },
      );
    }
    const { promised } = this;
    const bookmarks = promised === null ? bookmarksOf(this.marking) : this.bookmarks;
    if (promised !== null && bookmarks.length !== promised)
      throw new ImportError(
        `the export ends at bookmark ${bookmarks.length} of ${promised}: it is incomplete, export it again`,
        { line },
      );
    const { scores, promisedScores } = this;
    if (scores.length !== promisedScores)
      throw new ImportError(
        `the export ends at score ${scores.length} of ${promisedScores}: it is incomplete, export it again`,
        { line },
      );
    const { notes, promisedNotes } = this;
    if (notes.length !== promisedNotes)
      throw new ImportError(
        `the export ends at note ${notes.length} of ${promisedNotes}: it is incomplete, export it again`,
        { line },
      );
    return { conversation_id: this.id, events: this.events, bookmarks, scores, notes };
  }
}

/**
 * The same conversation under another id: its events, messages, runs and confirmations get new ids, references are
 * updated, and `origin` records the source.
 */
export function copyConversation(source: ImportedConversation, conversationId: string): ImportedConversation {
  const renaming = new Renaming(conversationId);
  for (const event of source.events) renaming.meet(event);
  const places = new Map(source.events.map((event, index) => [event.id, index + 1]));
  const renamed = source.events.map((event) => renaming.rename(event, (id) => places.get(id)));
  const events = withOrigin(renamed, conversationId, source.conversation_id);
  // A step that records the origin may come before all others.
  const moved = events.length - renamed.length;
  const bookmarks = source.bookmarks?.map((one) => ({ ...one, seq: one.seq + moved, set_seq: one.set_seq + moved }));
  const placed = <T extends { seq: number | null; run_id: string | null }>(one: T): T => ({
    ...one,
    seq: one.seq === null ? null : one.seq + moved,
    run_id: one.run_id === null ? null : renaming.run(one.run_id),
  });
  const scores = source.scores?.map(placed);
  const notes = source.notes?.map(placed);
  return {
    conversation_id: conversationId,
    events,
    ...(bookmarks && { bookmarks }),
    ...(scores && { scores }),
    ...(notes && { notes }),
  };
}

function withOrigin(events: NewEvent[], conversationId: string, sourceId: string): NewEvent[] {
  const origin = { conversation_id: sourceId };
  const created = events.findIndex(({ type }) => type === "conversation.created");
  const event = events[created];
  if (event)
    return events.with(created, {
      ...event,
      payload: { ...(isJsonObject(event.payload) ? event.payload : {}), origin },
    });
  const made = newEvent(
    "conversation.created",
    { origin },
    { id: `${conversationId}:0`, conversation_id: conversationId },
  );
  return [made, ...events];
}

function parse<T>(schema: z.ZodType<T>, value: Json, line: number | null): T {
  const parsed = schema.safeParse(value, { error: sentence });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []), ...unknown];
  const message = unknown.length > 0 ? "is not a known field" : (issue?.message ?? "does not match the format");
  throw new ImportError(named({ path, message }), { line, path: pointerTo(path) });
}

function named({ path, message }: { path: readonly PropertyKey[]; message: string }): string {
  return `${path.length > 0 ? path.join(".") : "this"} ${message}`;
}
