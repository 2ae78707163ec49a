import type { PromptPart } from "@/lib/prompt/prompt.ts";

/** A part of a prompt that was replaced; agents from outside may name origins of their own. */
export type ReplacedPart = Omit<PromptPart, "origin"> & { origin: string };

/** A place in a prompt that a person can point at: a replaced part, or one message of the history in it. */
export interface Mark {
  part: ReplacedPart;
  /** Null where the part as a whole is meant. */
  message: { id: string | null; start: number; end: number } | null;
  /** The keyboard stops here; it passes by what merely stands between the messages of a history. */
  isStop: boolean;
}

/** A stretch of text under one mark, or under none. */
export interface Piece {
  start: number;
  text: string;
  /** Into the marks; null for what the template itself says. */
  mark: number | null;
  /** The part begins here: its label stands before the text. */
  opensPart: boolean;
  /** The mark begins here: it is focused here and nowhere else. */
  opensMark: boolean;
}

/** A prompt cut for the screen. */
export interface MarkedPrompt {
  marks: readonly Mark[];
  /** Stretches of some thousand characters, which the browser lays out one by one as they come into view. */
  blocks: readonly (readonly Piece[])[];
}

/** Characters of a block: as much as a tall screen shows. */
const BLOCK = 4_000;
/** A line longer than that is cut, at a space if there is one among its last characters. */
const LONGEST_LINE = 4_000;
const SPACE_WITHIN = 200;

type Stretch = Omit<Piece, "text"> & { end: number };

/** Cuts a prompt at its parts, the messages in them, and at ends of lines. Parts that cannot be are left out. */
export function markPrompt(prompt: string, parts: readonly ReplacedPart[]): MarkedPrompt {
  const marks: Mark[] = [];
  const stretches: Stretch[] = [];
  let at = 0;
  for (const part of inOrder(parts, 0, prompt.length)) {
    stretches.push(plain(at, part.start));
    stretches.push(...stretchesOf(part, marks));
    at = part.end;
  }
  stretches.push(plain(at, prompt.length));
  return { marks, blocks: blocksOf(prompt, stretches) };
}

/** The stretches of one part, whose marks are added. */
function stretchesOf(part: ReplacedPart, marks: Mark[]): Stretch[] {
  const messages = inOrder(part.messages ?? [], part.start, part.end);
  const own = marks.push({ part, message: null, isStop: messages.length === 0 }) - 1;
  const stretches: Stretch[] = [];
  let at = part.start;
  const add = (end: number, mark: number) => {
    if (end > at || part.start === part.end)
      stretches.push({ start: at, end, mark, opensPart: stretches.length === 0, opensMark: true });
    at = end;
  };
  for (const message of messages) {
    add(message.start, own);
    add(message.end, marks.push({ part, message, isStop: true }) - 1);
  }
  add(part.end, own);
  return stretches;
}

function plain(start: number, end: number): Stretch {
  return { start, end, mark: null, opensPart: false, opensMark: false };
}

/** Those that lie within and do not overlap, by place: events from outside may tell others. */
function inOrder<T extends { start: number; end: number }>(all: readonly T[], from: number, to: number): T[] {
  const kept: T[] = [];
  let at = from;
  for (const one of all.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (one.start < at || one.end < one.start || one.end > to) continue;
    kept.push(one);
    at = one.end;
  }
  return kept;
}

function blocksOf(prompt: string, stretches: readonly Stretch[]): Piece[][] {
  const blocks: Piece[][] = [];
  let block: Piece[] = [];
  let end = blockEnd(prompt, 0);
  for (const stretch of stretches) {
    let { start } = stretch;
    while (stretch.end > end) {
      block.push(pieceOf(prompt, stretch, start, end));
      blocks.push(block);
      block = [];
      start = end;
      end = blockEnd(prompt, end);
    }
    if (stretch.end > start || stretch.mark !== null) block.push(pieceOf(prompt, stretch, start, stretch.end));
  }
  blocks.push(block);
  return blocks.map((pieces) => pieces.filter(({ text, opensPart }) => text !== "" || opensPart));
}

function pieceOf(prompt: string, stretch: Stretch, start: number, end: number): Piece {
  const begins = start === stretch.start;
  return {
    start,
    text: prompt.slice(start, end),
    mark: stretch.mark,
    opensPart: stretch.opensPart && begins,
    opensMark: stretch.opensMark && begins,
  };
}

/** Where a block that begins at a place ends: after a line, or within one that is too long. */
function blockEnd(prompt: string, start: number): number {
  const enough = start + BLOCK;
  if (enough >= prompt.length) return prompt.length;
  const line = prompt.indexOf("\n", enough);
  const longest = enough + LONGEST_LINE;
  if (line >= 0 && line < longest) return line + 1;
  if (longest >= prompt.length) return prompt.length;
  const space = prompt.lastIndexOf(" ", longest);
  if (space > longest - SPACE_WITHIN) return space + 1;
  const unit = prompt.charCodeAt(longest);
  // The second half of a pair stays with the first.
  return unit >= 0xdc00 && unit <= 0xdfff ? longest + 1 : longest;
}
