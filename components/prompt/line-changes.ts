import { diffLines } from "diff";
import { wordChanges } from "@/lib/session/compare/words.ts";

/** A part of a line; `changed` when the other version has other words. */
export interface Words {
  text: string;
  changed: boolean;
}

/** A line of a diff. */
export interface ChangedLine {
  kind: "same" | "add" | "remove";
  words: Words[];
}

/** Consecutive lines: shown, or folded because they are unchanged. */
export interface LineGroup {
  folded: boolean;
  lines: ChangedLine[];
}

/** The time limit of a diff, ms. */
const PATIENCE = 500;
/** Lines of context around a change. */
const CONTEXT = 3;
/** Fewer lines are not folded. */
const WORTH_FOLDING = 4;
/** Longer lines are not compared by words. */
const LONGEST_COMPARED = 2_000;
/** More consecutive changed lines are not compared by words. */
const MOST_COMPARED = 50;

/** The line diff of two texts; null when it takes too long. */
export function lineChanges(before: string, after: string): LineGroup[] | null {
  const changes = diffLines(endLine(before), endLine(after), { timeout: PATIENCE });
  if (!changes) return null;
  const groups: LineGroup[] = [];
  for (let index = 0; index < changes.length; index++) {
    const change = changes[index];
    if (!change) continue;
    const lines = linesOf(change.value);
    if (!change.added && !change.removed) {
      groups.push(...foldSame(lines, { first: index === 0, last: index === changes.length - 1 }));
      continue;
    }
    const next = changes[index + 1];
    if (change.removed && next?.added) {
      groups.push({ folded: false, lines: replaced(lines, linesOf(next.value)) });
      index += 1;
    } else groups.push({ folded: false, lines: lines.map((line) => whole(change.added ? "add" : "remove", line)) });
  }
  return groups;
}

/** Whether there is any change. */
export function isChanged(groups: readonly LineGroup[]): boolean {
  return groups.some(({ lines }) => lines.some(({ kind }) => kind !== "same"));
}

/** Unchanged lines without context are folded. */
function foldSame(lines: readonly string[], { first, last }: { first: boolean; last: boolean }): LineGroup[] {
  const from = first ? 0 : CONTEXT;
  const to = lines.length - (last ? 0 : CONTEXT);
  const same = lines.map((line) => whole("same", line));
  if (to - from < WORTH_FOLDING) return [{ folded: false, lines: same }];
  return [
    { folded: false, lines: same.slice(0, from) },
    { folded: true, lines: same.slice(from, to) },
    { folded: false, lines: same.slice(to) },
  ].filter((group) => group.lines.length > 0);
}

/** Changed lines are paired with as many removed ones and compared by words. */
function replaced(old: readonly string[], now: readonly string[]): ChangedLine[] {
  const isPaired = old.length === now.length && old.length <= MOST_COMPARED;
  const pairs = isPaired ? old.map((line, index) => wordsOf(line, now[index] ?? "")) : null;
  return [
    ...old.map((line, index): ChangedLine => pairs?.[index]?.[0] ?? whole("remove", line)),
    ...now.map((line, index): ChangedLine => pairs?.[index]?.[1] ?? whole("add", line)),
  ];
}

function wordsOf(old: string, now: string): [ChangedLine, ChangedLine] | null {
  if (old.length > LONGEST_COMPARED || now.length > LONGEST_COMPARED) return null;
  const changes = wordChanges(old, now);
  if (!changes) return null;
  // Lines with little in common are shown as two lines.
  const common = changes.reduce((sum, { text, added, removed }) => sum + (added || removed ? 0 : text.length), 0);
  if (common * 2 < Math.max(old.length, now.length)) return null;
  return [
    {
      kind: "remove",
      words: changes.filter(({ added }) => !added).map(({ text, removed }) => ({ text, changed: removed })),
    },
    {
      kind: "add",
      words: changes.filter(({ removed }) => !removed).map(({ text, added }) => ({ text, changed: added })),
    },
  ];
}

function whole(kind: ChangedLine["kind"], text: string): ChangedLine {
  return { kind, words: [{ text, changed: false }] };
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

/** A last line without a line break would differ from the same line with one. */
function endLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
