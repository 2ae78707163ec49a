import type { Locale } from "../../session/locale.ts";
import { assertLimits, charactersAllowed, messagesAllowed } from "../limits.ts";
import type { HistoryLimits, HistoryMessage, HistoryReport, Size } from "../prompt.ts";
import { charactersOf, tokensIn } from "../tokens.ts";
import { cutHistory } from "./cut-history.ts";
import { INDENT, indent, plainLines } from "./further-lines.ts";
import { costOf, dateBefore, dateLine, type HistoryLine, heading, joins, readLines } from "./history-lines.ts";
import { HISTORY_WORDS } from "./history-words.ts";

/** How a history is formatted. */
export interface HistoryOptions {
  limits: HistoryLimits;
  /** An IANA zone; null, or an unknown one, is the system's. */
  timezone: string | null;
  locale: Locale;
  /** Calls whose results are in the state: their messages are kept longest (H4). */
  state_calls?: readonly string[] | undefined;
}

/** A message that is shown. */
export interface ShownMessage {
  message: HistoryMessage;
  /** Its index in the given messages. */
  index: number;
  /** Unchanged or shortened. */
  content: string;
  shortened: boolean;
  /** `HH:MM` in the zone, `--:--` if unknown. */
  time: string;
  /** The role in the locale, of a tool with its name. */
  speaker: string;
  /** The date before it, if the previous one is of another day (H3). */
  date: string | null;
  /** It is joined to the previous message, of the same sender (H3). */
  joined: boolean;
}

/** A history within its limits. */
export interface FittedHistory {
  /** The messages shown, in order; may be empty. */
  messages: ShownMessage[];
  /** Messages left out because of the limits, in order. */
  left_out: HistoryMessage[];
  report: HistoryReport;
  locale: Locale;
}

/**
 * The messages of a history within its limits (H3, H4): long ones are shortened first, then whole ones are removed,
 * oldest first, important ones last, the newest never. Throws LimitTooSmall.
 */
export function fitHistory(
  messages: readonly HistoryMessage[],
  { limits, timezone, locale, state_calls = [] }: HistoryOptions,
): FittedHistory {
  assertLimits(limits);
  const lines = readLines(messages, { timezone, locale, state_calls });
  const { kept, characters } = cutHistory(lines, {
    characters: charactersAllowed(limits),
    messages: messagesAllowed(limits),
    leftOut: (count) => charactersOf(`${HISTORY_WORDS[locale].leftOut(count)}\n`),
  });
  const shown = kept.map(({ line, text, shortened }, place): ShownMessage => {
    const above = kept[place - 1]?.line ?? null;
    return {
      message: line.message,
      index: line.index,
      content: shortened ? text : line.message.content,
      shortened,
      time: line.time,
      speaker: line.speaker,
      date: dateBefore(line, above),
      joined: joins(line, above),
    };
  });
  const places = new Set(kept.map(({ line }) => line.place));
  const leftOut = lines.filter(({ place }) => !places.has(place)).map(({ message }) => message);
  const cut = shown.filter(({ shortened }) => shortened).map(({ message }) => message);
  const before = sizeOf(lines.length, charactersIn(lines));
  const after = sizeOf(shown.length, characters);
  return {
    messages: shown,
    left_out: leftOut,
    report: {
      total: messages.length,
      shown: shown.length,
      original_tokens: before.tokens,
      final_tokens: after.tokens,
      truncated: leftOut.length > 0 || cut.length > 0,
      before,
      after,
      left_out: idsOf(leftOut),
      shortened: idsOf(cut),
    },
    locale,
  };
}

/** A history as text (H2, H3), with the position of each message: UTF-16 offsets, the end is exclusive. */
export function printHistory({ messages, left_out, locale }: FittedHistory): {
  text: string;
  messages: { id: string | null; start: number; end: number }[];
} {
  const words = HISTORY_WORDS[locale];
  if (messages.length === 0) return { text: words.empty, messages: [] };
  const pieces = left_out.length === 0 ? [] : [words.leftOut(left_out.length)];
  let end = pieces[0]?.length ?? -1;
  const places = messages.map(({ message, date, ...shown }) => {
    if (date !== null) {
      const line = dateLine(date);
      pieces.push(line);
      end += 1 + line.length;
    }
    const piece = pieceOf(shown);
    pieces.push(piece);
    const start = end + 1;
    end = start + piece.length;
    return { id: message.id, start, end };
  });
  return { text: pieces.join("\n"), messages: places };
}

function pieceOf({ joined, time, speaker, content }: Omit<ShownMessage, "message" | "date">): string {
  const text = plainLines(content);
  if (joined) return `${INDENT}${indent(text)}`;
  return text === "" ? heading(time, speaker) : `${heading(time, speaker)} ${indent(text)}`;
}

function charactersIn(lines: readonly HistoryLine[]): number {
  return lines.reduce((sum, line, place) => sum + costOf(line, line.size, lines[place - 1] ?? null), 0);
}

function sizeOf(messages: number, characters: number): Size {
  return { messages, characters, tokens: tokensIn(characters) };
}

function idsOf(messages: readonly HistoryMessage[]): string[] {
  return messages.flatMap(({ id }) => (id === null ? [] : [id]));
}
