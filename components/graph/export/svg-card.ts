import { ICONS } from "@/components/ui/icons.tsx";
import { type ShownCallStatus, STATUS } from "@/components/ui/status.ts";
import type { Call } from "@/lib/session/session.ts";
import { targetState } from "../edge/link-state.ts";
import { CARD, FRAME, headOf, labelPlace } from "../layout/geometry.ts";
import type { PlacedNode } from "../layout/layout.ts";
import { markupOf } from "./markup.ts";
import type { Palette } from "./palette.ts";
import { type Measure, round, type Type, writeRect, writeText } from "./pen.ts";

/** The content of a card at the step. */
export interface CardWords {
  status: ShownCallStatus;
  /** The call that wrote the node's outputs; null before. */
  done: Call | null;
  /** The lines between title and outputs. */
  lines: { name: string; value: string }[];
  /** Why it is not done, or the number of attempts; in the last line. */
  note: { text: string; isError: boolean } | null;
  /** The duration. */
  time: string | null;
}

export interface Drawing {
  palette: Palette;
  measure: Measure;
  /** The words of a gate's bar: "both". */
  gateOf(count: number): string;
}

const ICON = 14;
/** The distance from a line's middle to its baseline, relative to the font size. */
const BASE = 0.35;

/** A call's card, or a delegate's frame without its content. */
export function drawCard(placed: PlacedNode, words: CardWords, drawing: Drawing): string {
  const { node, box, x, y, order } = placed;
  const { palette } = drawing;
  const card = { x, y: y + box.top, width: box.width, height: box.height - box.top };
  const look = lookOf(words.status, palette);
  const head = node.open ? FRAME.head : CARD.title + CARD.padding * 2;
  const middle = card.y + (node.open ? head / 2 : CARD.padding + 1 + CARD.title / 2);
  return [
    writeRect(card, { radius: node.open ? 7 : 5, ...look }),
    node.open ? drawHeadLine(placed, palette) : "",
    order === null ? "" : writeText(String(order), x, y - 8, 60, { size: 11, fill: palette("fg-3") }, drawing.measure),
    drawPills(placed, drawing),
    drawTitle(placed, words, middle, drawing),
    node.open ? "" : drawLines(placed, words, drawing),
    drawOutputs(placed, words, drawing),
  ].join("");
}

function lookOf(status: ShownCallStatus, palette: Palette) {
  switch (status) {
    case "failed":
    case "blocked":
    case "denied":
    case "parked":
      return { fill: palette("surface"), stroke: palette(`st-${STATUS[status].token}`), strokeWidth: 1.5 };
    case "running":
      return { fill: palette("surface"), stroke: palette("st-running") };
    case "planned":
      return { fill: palette("surface"), stroke: palette("line-control"), dash: "1.5 2.5" };
    case "skipped":
      return { fill: palette("canvas"), stroke: palette("line-control"), dash: "4 3" };
    case "superseded":
    case "cancelled":
      return { fill: palette("surface"), stroke: palette("line-control"), dash: "4 3" };
    case "succeeded":
    case "handled":
    case "approved":
    case "refused":
      return { fill: palette("surface"), stroke: palette("line-strong") };
    default:
      return status satisfies never;
  }
}

function drawHeadLine({ box, x, y }: PlacedNode, palette: Palette): string {
  const line = y + box.top + headOf(box.outputs.length);
  return `<path d="M${round(x)} ${round(line)}h${round(box.width)}" stroke="${palette("line")}"/>`;
}

function drawTitle({ node, box, x }: PlacedNode, words: CardWords, middle: number, { palette, measure }: Drawing) {
  const { status, time } = words;
  const { icon, token } = STATUS[status];
  const ink = palette(token === "handled" ? "st-failed" : `st-${token}`);
  const isBeside = time !== null && box.outputs.length === 0;
  const quiet: Type = { size: 11, fill: palette("fg-3"), align: "end" };
  const taken = isBeside ? measure(time, quiet) + 6 : 0;
  const left = x + CARD.side + ICON + 4;
  const paths = node.open ? Math.max(0, ...box.outputs.map(({ path }) => measure(path, monoType(palette)))) + 12 : 0;
  return [
    `<svg x="${round(x + CARD.side - 1)}" y="${round(middle - ICON / 2)}" width="${ICON}" height="${ICON}" viewBox="0 0 16 16" fill="none" stroke="${ink}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${markupOf(ICONS[icon], ink)}</svg>`,
    writeText(
      node.call.tool,
      left,
      middle + 12 * BASE,
      x + box.width - CARD.side - left - taken - paths,
      { size: 12, weight: 600, fill: palette(isQuiet(status) ? "fg-3" : "fg") },
      measure,
    ),
    isBeside ? writeText(time, x + box.width - CARD.side, middle + 11 * BASE, 80, quiet, measure) : "",
  ].join("");
}

function isQuiet(status: ShownCallStatus): boolean {
  return status === "skipped" || status === "cancelled";
}

function drawLines({ box, x, y }: PlacedNode, { lines, note }: CardWords, { palette, measure }: Drawing): string {
  const room = box.width - CARD.side * 2;
  const noteAt = Math.min(lines.length, box.lines - 1);
  const said = note && {
    base: y + box.top + 1 + CARD.padding + CARD.title + CARD.line * noteAt + 3 + 7.5 + 11 * BASE,
    type: { size: 11, fill: palette(note.isError ? "st-failed" : "fg-3") },
  };
  const noteText = said ? writeText(note.text, x + CARD.side, said.base, room, said.type, measure) : "";
  return lines
    .slice(0, note ? noteAt : box.lines)
    .map(({ name, value }, index) => {
      const base = y + box.top + 1 + CARD.padding + CARD.title + CARD.line * index + 3 + 7.5 + 11 * BASE;
      const type: Type = { size: 11, fill: palette("fg-3") };
      const nameRoom = Math.min(room * 0.6, measure(name, type) + 0.5);
      const left = name === "" ? 0 : nameRoom + 6;
      return [
        name === "" ? "" : writeText(name, x + CARD.side, base, nameRoom, type, measure),
        writeText(value, x + CARD.side + left, base, room - left, { size: 11, fill: palette("fg-2") }, measure),
      ].join("");
    })
    .join("")
    .concat(noteText);
}

function drawPills({ box, x, y }: PlacedNode, { palette, measure, gateOf }: Drawing): string {
  const pills = box.pills.map((pill) => {
    const width = Math.min(box.width, pill.width);
    const rect = { x, y: y + pill.y - CARD.pill / 2, width, height: CARD.pill };
    return (
      writeRect(rect, { radius: 3, fill: palette("surface"), stroke: palette("line-strong") }) +
      writeText(pill.path, x + 6, y + pill.y + 11 * BASE, width - 11, monoType(palette), measure)
    );
  });
  const bars = box.bars.map(({ kind, top, bottom, count }) => {
    const rect = { x: x - 7, y: y + top, width: 4, height: bottom - top };
    const sign = kind === "gate" ? `&& ${gateOf(count)}` : "||";
    const bar =
      kind === "gate"
        ? writeRect(rect, { radius: 1, fill: palette("fg-2") })
        : writeRect(rect, { radius: 2, fill: palette("surface"), stroke: palette("edge-idle"), strokeWidth: 1.2 });
    const left = rect.x + labelPlace(box, top, bottom);
    const type: Type = { size: 11, mono: true, fill: palette("fg-3") };
    return bar + writeText(sign, left, y + (top + bottom) / 2 + 11 * BASE, 80, type, measure);
  });
  return [...pills, ...bars].join("");
}

function drawOutputs({ node, box, x, y }: PlacedNode, words: CardWords, { palette, measure }: Drawing): string {
  const alternatives = (box.outputs.at(-1)?.alternative ?? 0) + 1;
  const right = x + box.width;
  return box.outputs
    .map((output, index) => {
      const state = targetState(words.done, output, alternatives);
      const isTimed = !node.open && words.time !== null && index === box.outputs.length - 1;
      const ink = palette(state === "done" ? "edge" : `edge-${state}`);
      const at = y + output.y;
      const type = monoType(palette, state === "off" ? "fg-3" : "fg-2");
      const room = Math.max(0, box.width - CARD.side * 2 - (isTimed ? 48 : 0));
      const fill = state === "done" && (output.branch || output.fanOut) ? ink : palette("surface");
      const port = output.branch
        ? `<path d="M${round(right)} ${round(at - 5)}l5 5-5 5-5-5z" fill="${fill}" stroke="${ink}" stroke-width="1.5"/>`
        : `<circle cx="${round(right)}" cy="${round(at)}" r="3.2" fill="${fill}" stroke="${ink}" stroke-width="1.5"/>`;
      return [
        isTimed ? writeText(words.time ?? "", x + CARD.side, at + 11 * BASE, 46, timeType(palette), measure) : "",
        writeText(output.path, right - CARD.side, at + 11 * BASE, room, { ...type, align: "end" }, measure),
        port,
      ].join("");
    })
    .join("");
}

function monoType(palette: Palette, ink = "fg-2"): Type {
  return { size: 11, mono: true, fill: palette(ink), cutAt: "start" };
}

function timeType(palette: Palette): Type {
  return { size: 11, fill: palette("fg-3") };
}
