import { printedSize } from "./further-lines.ts";
import { costOf, type HistoryLine } from "./history-lines.ts";
import { shorten } from "./shorten.ts";

/** The limits of a history, in code points. */
export interface Room {
  characters: number;
  messages: number;
  /** The size of the line about messages left out. */
  leftOut(count: number): number;
}

/** A line that is shown. */
export interface KeptLine {
  line: HistoryLine;
  text: string;
  size: number;
  shortened: boolean;
}

/** A shortened history, in order. */
export interface CutHistory {
  kept: KeptLine[];
  /** Code points of all that is shown. */
  characters: number;
}

/** A message is long from this share of the limit, and from this many code points. */
const LONG_SHARE = 1 / 8;
const SHORTEST_LONG = 60;
/** At least this share of a shortened message is kept, unless a single character is longer. */
const LEFT_OF_LONG = 1 / 4;

/**
 * Cuts a history to its limits (H4): the oldest are removed if there are too many; then long messages are shortened,
 * oldest first; then whole ones are removed, oldest first, important ones last. The newest is kept, and shortened if it
 * alone is too long.
 */
export function cutHistory(lines: readonly HistoryLine[], room: Room): CutHistory {
  const candidates = byWorth(lines).slice(0, room.messages);
  if (candidates.length === 0) return { kept: [], characters: 0 };
  const inPlace = candidates.length === lines.length ? lines : candidates.toSorted((a, b) => a.place - b.place);
  return shortenOldest(inPlace, lines.length, room) ?? keepWorthiest(candidates, lines.length, room);
}

/** By priority: the newest, the important ones, then the rest, each from the newest on. */
function byWorth(lines: readonly HistoryLine[]): HistoryLine[] {
  const newestFirst = lines.toReversed();
  const [newest, ...others] = newestFirst;
  if (!newest) return [];
  return [newest, ...others.filter(({ important }) => important), ...others.filter(({ important }) => !important)];
}

/** All lines, the long ones shortened as needed; null if that is not enough. */
function shortenOldest(lines: readonly HistoryLine[], total: number, room: Room): CutHistory | null {
  const kept = lines.map(wholeOf);
  let characters = noteSize(total, kept.length, room);
  let above: HistoryLine | null = null;
  for (const { line, size } of kept) {
    characters += costOf(line, size, above);
    above = line;
  }
  if (characters <= room.characters) return { kept, characters };
  const longest = longestOf(room);
  const long = kept.slice(0, -1).filter(({ size }) => size > longest);
  const least = long.reduce((left, { size }) => left - size + longest * LEFT_OF_LONG, characters);
  // So that a history that is much too long costs no more than its result.
  if (least > room.characters) return null;
  for (const each of long) {
    const { size } = each;
    Object.assign(each, shortened(each.line, Math.max(longest, size - (characters - room.characters))));
    characters -= size - each.size;
    if (characters <= room.characters) return { kept, characters };
  }
  return null;
}

/** A kept line in a linked list. */
interface Link extends KeptLine {
  above: Link | null;
}

/** As many lines as fit, by priority, the long ones shortened. */
function keepWorthiest(candidates: readonly HistoryLine[], total: number, room: Room): CutHistory {
  const [first, ...others] = candidates;
  if (!first) return { kept: [], characters: 0 };
  const newest: Link = { ...fitNewest(first, total, room), above: null };
  let sum = costOf(newest.line, newest.size, null);
  let count = 1;
  let below = newest;
  const longest = longestOf(room);
  for (const line of others) {
    // From the important ones back to the newest of the rest.
    if (line.place > below.line.place) below = newest;
    while (below.above && below.above.line.place > line.place) below = below.above;
    const link: Link = { ...shortened(line, longest), above: below.above };
    const next = sum + costOfInserting(link, below);
    if (next + noteSize(total, count + 1, room) > room.characters) break;
    below.above = link;
    sum = next;
    count++;
  }
  return { kept: inOrder(newest), characters: sum + noteSize(total, count, room) };
}

/** The next line may lose its date, or be joined to this one, or no longer be joined to its predecessor. */
function costOfInserting(link: Link, below: Link): number {
  const above = link.above?.line ?? null;
  return (
    costOf(link.line, link.size, above) +
    costOf(below.line, below.size, link.line) -
    costOf(below.line, below.size, above)
  );
}

function inOrder(newest: Link): KeptLine[] {
  const kept: KeptLine[] = [];
  for (let link: Link | null = newest; link; link = link.above) {
    kept.push({ line: link.line, text: link.text, size: link.size, shortened: link.shortened });
  }
  return kept.reverse();
}

function fitNewest(line: HistoryLine, total: number, room: Room): KeptLine {
  const around = costOf(line, 1, null) - 1 + noteSize(total, 1, room);
  return shortened(line, room.characters - around);
}

function shortened(line: HistoryLine, size: number): KeptLine {
  if (line.size <= size) return wholeOf(line);
  const text = shorten(line.text, size);
  return { line, text, size: printedSize(text), shortened: true };
}

function wholeOf(line: HistoryLine): KeptLine {
  return { line, text: line.text, size: line.size, shortened: false };
}

function longestOf(room: Room): number {
  return Math.max(SHORTEST_LONG, Math.floor(room.characters * LONG_SHARE));
}

function noteSize(total: number, kept: number, room: Room): number {
  return total === kept ? 0 : room.leftOut(total - kept);
}
