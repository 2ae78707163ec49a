import type { PromptPart } from "@/lib/prompt/prompt.ts";

/** A replaced part of a prompt; external agents may name their own origins. */
export type ReplacedPart = Omit<PromptPart, "origin"> & { origin: string };

/** A mark in a prompt: a replaced part, or a message of the history in it. */
export interface Mark {
  part: ReplacedPart;
  /** Null for the part as a whole. */
  message: { id: string | null; start: number; end: number } | null;
  /** It is a keyboard stop; text between messages is not. */
  isStop: boolean;
}

/** A piece of text under one mark, or none. */
export interface Piece {
  start: number;
  text: string;
  /** An index into the marks; null for the template's own text. */
  mark: number | null;
  /** The part starts here, with its label. */
  opensPart: boolean;
  /** The mark starts here and is focusable here only. */
  opensMark: boolean;
}

/** A prompt split for rendering. */
export interface MarkedPrompt {
  marks: readonly Mark[];
  /** Blocks of a few thousand characters, which the browser lays out when they become visible. */
  blocks: readonly (readonly Piece[])[];
}

/** Characters per block: about a tall screen. */
const BLOCK = 4_000;
/** Longer lines are split, at a space if possible. */
const LONGEST_LINE = 4_000;
const SPACE_WITHIN = 200;

type Stretch = Omit<Piece, "text"> & { end: number };

/** Splits a prompt at its parts, the messages in them, and line ends. Invalid parts are left out. */
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

/** The pieces of a part; adds its marks. */
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

/** Valid parts in order: within the text and without overlap. External events may have others. */
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

/** The end of a block: after a line, or within one that is too long. */
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
  // A surrogate pair is not split.
  return unit >= 0xdc00 && unit <= 0xdfff ? longest + 1 : longest;
}
