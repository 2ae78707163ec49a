import type { Locale } from "../../session/locale.ts";
import type { HistoryMessage } from "../prompt.ts";
import { charactersOf } from "../tokens.ts";
import { clockOf } from "./clock.ts";
import { INDENT, LINE_BREAKS, plainLines, printedSize } from "./further-lines.ts";
import { HISTORY_WORDS, type HistoryWords } from "./history-words.ts";
import { importantOf } from "./importance.ts";

/** A message that would be shown without limits. Sizes are code points. */
export interface HistoryLine {
  message: HistoryMessage;
  /** Its index in the given messages. */
  index: number;
  /** Its index in those that would be shown. */
  place: number;
  /** `HH:MM` in the zone, `--:--` if unknown. */
  time: string;
  /** Its day; without a time that of the previous message, else of the next one with a time. */
  date: string | null;
  speaker: string;
  /** Of `[HH:MM] Role:`. */
  headingSize: number;
  /** The content with normalized line breaks. */
  text: string;
  /** The size of the indented text. */
  size: number;
  important: boolean;
}

const UNKNOWN_TIME = "--:--";
const BREAK = "\n".length;
const GAP = " ".length;

/** The messages that may be shown, in order: of the system's only the relevant ones (H3). */
export function readLines(
  messages: readonly HistoryMessage[],
  options: { timezone: string | null; locale: Locale; state_calls: readonly string[] },
): HistoryLine[] {
  const momentOf = clockOf(options.timezone, options.locale);
  const speakerOf = speakersIn(HISTORY_WORDS[options.locale]);
  const shown = messages.flatMap((message, index) =>
    message.role !== "system" || message.relevant ? [{ message, index }] : [],
  );
  const important = importantOf(
    shown.map(({ message }) => message),
    options.state_calls,
  );
  const moments = shown.map(({ message }) => momentOf(message.at));
  let date = moments.find((moment) => moment !== null)?.date ?? null;
  return shown.map(({ message, index }, place) => {
    const moment = moments[place] ?? null;
    date = moment?.date ?? date;
    const time = moment?.time ?? UNKNOWN_TIME;
    const speaker = speakerOf(message);
    const text = plainLines(message.content);
    return {
      message,
      index,
      place,
      time,
      date,
      speaker,
      headingSize: charactersOf(heading(time, speaker)),
      text,
      size: printedSize(text),
      important: important.has(place),
    };
  });
}

/** The prefix of a message's text. */
export function heading(time: string, speaker: string): string {
  return `[${time}] ${speaker}:`;
}

/** The line between the messages of two days (H3). */
export function dateLine(date: string): string {
  return `— ${date} —`;
}

/** Whether a line is joined to the one shown above it: of one sender and day, with nothing between them (H3). */
export function joins(line: HistoryLine, above: HistoryLine | null): boolean {
  return (
    above !== null &&
    above.place === line.place - 1 &&
    above.message.role === line.message.role &&
    above.message.name === line.message.name &&
    above.date === line.date
  );
}

/** The date before a line; null if the line shown above it is of the same day. */
export function dateBefore(line: HistoryLine, above: HistoryLine | null): string | null {
  return above === null || above.date === line.date ? null : line.date;
}

/** Code points of a line with a text of this size below another, including line breaks and date. */
export function costOf(line: HistoryLine, size: number, above: HistoryLine | null): number {
  if (joins(line, above)) return BREAK + INDENT.length + size;
  const date = dateBefore(line, above);
  const before = (above === null ? 0 : BREAK) + (date === null ? 0 : charactersOf(dateLine(date)) + BREAK);
  return before + line.headingSize + (size === 0 ? 0 : GAP + size);
}

/** The maximum length of a tool's name in a history, in code points. */
const LONGEST_NAME = 32;
const ELLIPSIS = "…";
const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The speaker on one line: the role, and of a tool its name (H3). */
function speakersIn(words: HistoryWords): (message: HistoryMessage) => string {
  // Cached: ten thousand messages are of a few tools.
  const tools = new Map<string, string>();
  return ({ role, name }) => {
    if (role !== "tool" || name === null) return words.roles[role];
    let tool = tools.get(name);
    if (tool === undefined) {
      const label = boundName(name.replace(LINE_BREAKS, " ").trim());
      tool = label === "" ? words.roles.tool : `${words.roles.tool} (${label})`;
      tools.set(name, tool);
    }
    return tool;
  };
}

function boundName(name: string): string {
  // The maximum number of code points, each of two units.
  if (name.length <= LONGEST_NAME || [...name.slice(0, 2 * LONGEST_NAME + 1)].length <= LONGEST_NAME) return name;
  let bound = "";
  let length = ELLIPSIS.length;
  for (const { segment } of GRAPHEMES.segment(name)) {
    length += [...segment].length;
    if (length > LONGEST_NAME) break;
    bound += segment;
  }
  return `${bound}${ELLIPSIS}`;
}
