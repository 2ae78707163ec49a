import type { PlanCall } from "@/lib/plan/call.ts";
import { printExpression, printReference, type Reference } from "@/lib/plan/reference.ts";
import { isFannedOut } from "@/lib/session/runs/planned-calls.ts";
import { monoWidth, titleWidth } from "./text-width.ts";

/** All sizes are px at 100 %. CSS uses the sizes computed here, so that the layout needs no DOM. */
export const CARD = {
  minWidth: 132,
  maxWidth: 224,
  padding: 6,
  side: 8,
  title: 16,
  line: 18,
  output: 16,
  /** From the middle of the last output to the bottom. */
  foot: 15,
  pill: 17,
  pillGap: 3,
  /** Between the last input and the card. */
  pillFoot: 4,
  /** Between the inputs of different parameters. */
  groupGap: 5,
} as const;

/** The frame around a delegate's calls. */
export const FRAME = {
  head: 26,
  side: 12,
  top: 10,
  foot: 12,
  maxOpen: 24,
  /** For the delegate's progress ("делегат · 10 из 12"), the collapse button, and gaps. */
  besideTitle: 158,
} as const;

/** The width of the duration, beside the last output or the name. */
const BESIDE_OUTPUT = 54;
const GATE_LABEL = 52;
const STATUS_ICON = 19;

/** An input: a path that a call reads, above the card's top left corner. */
export interface Pill {
  path: string;
  reference: Reference;
  /** The middle of the input, from the top of the box. */
  y: number;
  width: number;
  /** It is in a group with a bar, before which the edge ends. */
  barred: boolean;
  /** One of several alternatives (`||`). */
  fallback: boolean;
}

/** The bar of a gate's inputs, or the bracket of a fallback's. */
export interface Bar {
  kind: "gate" | "fallback";
  top: number;
  bottom: number;
  count: number;
}

/** An output: a path that a call writes, in a row at the bottom with a port on the right. */
export interface Output {
  path: string;
  reference: Reference;
  alternative: number;
  target: number;
  /** `||` of several alternatives. */
  branch: boolean;
  /** `&&` of several targets with the same value. */
  fanOut: boolean;
  /** The middle of the row, from the top of the box. */
  y: number;
}

/** The positions of a call's parts, from the top left of its box: inputs, then the card. */
export interface Box {
  width: number;
  height: number;
  /** The top of the card, below the inputs. */
  top: number;
  pills: Pill[];
  bars: Bar[];
  outputs: Output[];
  /** Inferred inputs, below the inputs: the middle of each mark, and its width. */
  marks: { y: number; width: number }[];
  /** The input of each reference, by read, alternative and member (as in a `Link`). */
  pillOf: Map<string, number>;
  /** The number of lines between title and outputs. */
  lines: number;
}

/**
 * The number of lines for the first parameters and a note (attempts, a wait, a reason). It does not depend on the
 * status, so that a node keeps its size.
 */
export function linesOf(call: PlanCall): number {
  return Object.keys(call.parameters).length === 0 ? 1 : 2;
}

/** The box of a call with marks of these widths. It depends only on the plan, not on statuses. */
export function boxOf(call: PlanCall, lines: number = linesOf(call), widths: readonly number[] = []): Box {
  const { pills, bars, pillOf, height: pillsEnd } = stackPills(call);
  const marks = stackMarks(pillsEnd, widths);
  const lastMark = marks.at(-1);
  const top = lastMark ? lastMark.y + CARD.pill / 2 + CARD.pillFoot : pillsEnd;
  const written = outputsOf(call);
  const height = top + 2 + CARD.padding * 2 + CARD.title + lines * CARD.line + written.length * CARD.output + 2;
  return {
    width: Math.max(widthOf(call, pills, bars, written), ...marks.map(({ width }) => width)),
    height,
    top,
    pills,
    bars,
    marks,
    outputs: written.map((output, index) => ({
      ...output,
      y: height - CARD.foot - (written.length - 1 - index) * CARD.output,
    })),
    pillOf,
    lines,
  };
}

/** The sign of a gate or a fallback is beside the longest of its inputs. */
export function labelPlace(box: Box, top: number, bottom: number): number {
  const longest = Math.max(...box.pills.filter(({ y }) => y > top && y < bottom).map(({ width }) => width));
  return Math.min(longest, box.width - 40) + 14;
}

/** The box of an expanded delegate: a head with its outputs, and room for its calls. */
export function frameOf(
  call: PlanCall,
  inner: { width: number; height: number },
  marks: readonly { width: number }[] = [],
): Box {
  const box = boxOf(
    call,
    linesOf(call),
    marks.map(({ width }) => width),
  );
  const head = headOf(box.outputs.length);
  return {
    ...box,
    width: Math.max(headWidth(call, box.outputs), inner.width + FRAME.side * 2),
    height: box.top + head + FRAME.top + inner.height + FRAME.foot,
    outputs: box.outputs.map((output, index) => ({ ...output, y: box.top + FRAME.head / 2 + index * CARD.output })),
  };
}

/** The width of a frame's head: the name, what is beside it, and the outputs at its right. */
function headWidth({ tool }: PlanCall, outputs: readonly Output[]): number {
  const paths = Math.max(0, ...outputs.map(({ path }) => monoWidth(path) + CARD.side * 2));
  return STATUS_ICON + Math.min(CARD.maxWidth, titleWidth(tool)) + FRAME.besideTitle + paths + CARD.side * 2;
}

/** The height of a frame's head with this many outputs. */
export function headOf(outputs: number): number {
  return FRAME.head + Math.max(0, outputs - 1) * CARD.output;
}

/** The key of a reference in `Box.pillOf`. */
export function placeKey(place: { read: number; alternative: number; member: number }): string {
  return `${place.read}.${place.alternative}.${place.member}`;
}

function widthOf(
  call: PlanCall,
  pills: readonly Pill[],
  bars: readonly Bar[],
  outputs: readonly Omit<Output, "y">[],
): number {
  const label = bars.length > 0 ? GATE_LABEL : 0;
  const besideTitle = outputs.length === 0 ? BESIDE_OUTPUT : 0;
  const wanted = Math.max(
    STATUS_ICON + titleWidth(call.tool) + besideTitle + CARD.side * 2 + 2,
    ...pills.map(({ width, barred }) => width + (barred ? label : 0)),
    ...outputs.map(({ path }) => monoWidth(path) + BESIDE_OUTPUT + CARD.side * 2),
  );
  return Math.min(CARD.maxWidth, Math.max(CARD.minWidth, wanted));
}

/** The sign of a group is beside its inputs. */
function pillWidth(path: string, barred: boolean): number {
  return Math.min(CARD.maxWidth - (barred ? GATE_LABEL : 0), monoWidth(path) + 12);
}

function outputsOf(call: PlanCall): Omit<Output, "y">[] {
  const alternatives = call.output ?? [];
  return alternatives.flatMap((targets, alternative) =>
    targets.map((reference, target) => ({
      path: printReference(reference),
      reference,
      alternative,
      target,
      branch: alternatives.length > 1,
      fanOut: isFannedOut(call, alternative, reference),
    })),
  );
}

/** Stacks the inputs of a call; an equal path, gate or fallback of several parameters is there once. */
function stackPills(call: PlanCall): Pick<Box, "pills" | "bars" | "pillOf" | "height"> {
  const pills: Pill[] = [];
  const bars: Bar[] = [];
  const pillOf = new Map<string, number>();
  const firstOf = new Map<string, number>();
  let y = 0;
  call.reads.forEach(({ expression }, read) => {
    const printed = printExpression(expression);
    const known = firstOf.get(printed);
    const first = known ?? pills.length;
    const members = expression.flatMap((gate, alternative) =>
      gate.map((reference, member) => ({ reference, alternative, member })),
    );
    members.forEach(({ alternative, member }, index) => {
      pillOf.set(placeKey({ read, alternative, member }), first + index);
    });
    if (known !== undefined) return;
    firstOf.set(printed, first);
    if (pills.length > 0 && (members.length > 1 || pills.at(-1)?.barred)) y += CARD.groupGap;
    for (const { reference } of members) {
      pills.push({
        path: printReference(reference),
        reference,
        y: y + CARD.pill / 2,
        width: pillWidth(printReference(reference), members.length > 1),
        barred: members.length > 1,
        fallback: expression.length > 1,
      });
      y += CARD.pill + CARD.pillGap;
    }
    bars.push(...barsOf(expression, pills.slice(first)));
  });
  return { pills, bars, pillOf, height: pills.length === 0 ? 0 : y - CARD.pillGap + CARD.pillFoot };
}

function stackMarks(from: number, widths: readonly number[]): Box["marks"] {
  const start = from === 0 ? 0 : from - CARD.pillFoot + CARD.pillGap + CARD.groupGap;
  return widths.map((width, index) => ({
    y: start + index * (CARD.pill + CARD.pillGap) + CARD.pill / 2,
    width: Math.min(CARD.maxWidth, width),
  }));
}

function barsOf(expression: readonly (readonly Reference[])[], pills: readonly Pill[]): Bar[] {
  const bars: Bar[] = [];
  const over = (kind: Bar["kind"], from: number, count: number) => {
    const first = pills[from];
    const last = pills[from + count - 1];
    if (first && last) bars.push({ kind, top: first.y - CARD.pill / 2, bottom: last.y + CARD.pill / 2, count });
  };
  if (expression.length > 1) over("fallback", 0, pills.length);
  let from = 0;
  for (const gate of expression) {
    if (gate.length > 1) over("gate", from, gate.length);
    from += gate.length;
  }
  return bars;
}
