import { diffArrays } from "diff";

/** A range of two sequences: `count` entries that are on both sides, or on one side only. */
export interface Span {
  kind: "same" | "a" | "b";
  /** Its start on each side. */
  a: number;
  b: number;
  count: number;
}

export interface Alignment {
  spans: Span[];
  /** False if a part had too many differences to align: there, one side's entries follow the other's. */
  complete: boolean;
}

/**
 * Finding this many differences takes up to half a second if both sides are long. If one is short it takes less, and
 * more are allowed.
 */
const MOST_EDITS = 1_500;
const MOST_WORK = 2_000_000;

function mostEdits(shorter: number): number {
  return Math.max(MOST_EDITS, Math.floor(MOST_WORK / Math.max(1, shorter)));
}

/**
 * Aligns two sequences by keys, with as many matches as possible (C10). `shared`: how many entries at the start are
 * known to be equal. `cuts`: the starts of parts on each side; parts are aligned separately if the whole is too large.
 * Symmetric.
 */
export function align(
  a: readonly string[],
  b: readonly string[],
  { shared = 0, cuts }: { shared?: number; cuts?: { a: readonly number[]; b: readonly number[] } } = {},
): Alignment {
  if (comesFirst(b, a)) {
    const { spans, complete } = align(b, a, { shared, ...(cuts && { cuts: { a: cuts.b, b: cuts.a } }) });
    return { spans: joined(spans.map(mirrored)), complete };
  }
  const whole = alignPart(a, b, { a: 0, b: 0 }, shared);
  if (whole) return { spans: joined(whole), complete: true };
  return alignParts(a, b, cuts ?? { a: [], b: [] });
}

/** Aligns the first part of one side with the first of the other, and so on. */
function alignParts(
  a: readonly string[],
  b: readonly string[],
  cuts: { a: readonly number[]; b: readonly number[] },
): Alignment {
  const [ofA, ofB] = [bordersOf(cuts.a, a.length), bordersOf(cuts.b, b.length)];
  const spans: Span[] = [];
  let complete = true;
  for (let part = 0; part < Math.max(ofA.length, ofB.length); part += 1) {
    const [fromA, toA] = ofA[part] ?? [a.length, a.length];
    const [fromB, toB] = ofB[part] ?? [b.length, b.length];
    const found = alignPart(a.slice(fromA, toA), b.slice(fromB, toB), { a: fromA, b: fromB }, 0);
    if (!found) complete = false;
    spans.push(...(found ?? apart(fromA, toA - fromA, fromB, toB - fromB)));
  }
  return { spans: joined(spans), complete };
}

function bordersOf(cuts: readonly number[], length: number): [number, number][] {
  const starts = [...new Set([0, ...cuts.filter((cut) => cut > 0 && cut < length)])].sort((one, two) => one - two);
  return starts.map((start, index) => [start, starts[index + 1] ?? length]);
}

/** The spans of a part that starts at `at`; null if it has too many differences. */
function alignPart(a: readonly string[], b: readonly string[], at: { a: number; b: number }, shared: number) {
  const most = Math.min(a.length, b.length);
  let head = Math.min(shared, most);
  while (head < most && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const middle = alignMiddle(a.slice(head, a.length - tail), b.slice(head, b.length - tail), {
    a: at.a + head,
    b: at.b + head,
  });
  if (!middle) return null;
  const end: Span = { kind: "same", a: at.a + a.length - tail, b: at.b + b.length - tail, count: tail };
  return [{ kind: "same" as const, a: at.a, b: at.b, count: head }, ...middle, end];
}

function alignMiddle(a: string[], b: string[], at: { a: number; b: number }): Span[] | null {
  if (a.length === 0 || b.length === 0) return apart(at.a, a.length, at.b, b.length);
  const parts = diffArrays(a, b, { maxEditLength: mostEdits(Math.min(a.length, b.length)) });
  if (!parts) return null;
  const place = { ...at };
  return parts.map(({ added, removed, count }) => {
    const span: Span = { kind: removed ? "a" : added ? "b" : "same", ...place, count };
    if (!added) place.a += count;
    if (!removed) place.b += count;
    return span;
  });
}

function apart(a: number, countA: number, b: number, countB: number): Span[] {
  return [
    { kind: "a", a, b, count: countA },
    { kind: "b", a: a + countA, b, count: countB },
  ];
}

/**
 * Without empty spans, adjacent ones of a kind merged, and in a gap always the first side's entries before the other's.
 */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  let gap: { a: Span; b: Span } | null = null;
  const close = () => {
    if (!gap) return;
    const { a, b } = gap;
    all.push(...apart(a.a, a.count, b.b, b.count).filter(({ count }) => count > 0));
    gap = null;
  };
  for (const span of spans) {
    if (span.count === 0) continue;
    if (span.kind === "same") {
      close();
      const last = all.at(-1);
      if (last?.kind === "same") last.count += span.count;
      else all.push({ ...span });
    } else {
      gap ??= { a: { ...span, count: 0 }, b: { ...span, count: 0 } };
      gap[span.kind].count += span.count;
    }
  }
  close();
  return all;
}

function mirrored({ kind, a, b, count }: Span): Span {
  return { kind: kind === "same" ? kind : kind === "a" ? "b" : "a", a: b, b: a, count };
}

/** The result must not depend on the order of the arguments, so the order is fixed. */
function comesFirst(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return a.length < b.length;
  const differs = a.findIndex((entry, index) => entry !== b[index]);
  return differs >= 0 && (a[differs] ?? "") < (b[differs] ?? "");
}
