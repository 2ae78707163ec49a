import type { ShownCallStatus } from "@/components/ui/status.ts";
import { STATUS } from "@/components/ui/status.ts";
import type { BriefValue } from "@/lib/session/map/brief-value.ts";
import type { MapCall } from "@/lib/session/map/session-map.ts";
import { shorten, tracePath } from "../edge/trace.ts";
import { escapeXml } from "../export/markup.ts";
import type { Palette } from "../export/palette.ts";
import { type Measure, ROOT_FONT, round, writeRect, writeText } from "../export/pen.ts";
import { hasFailed } from "./bands.ts";
import { type MapLayout, type PlacedBand, type PlacedCard, SIZES, wordsWidth } from "./layout.ts";
import { chipsOf, type Links } from "./links.ts";
import { innerLines, railsOf } from "./routes.ts";

/** The content of the image besides the layout. */
export interface MapPicture {
  title: string;
  palette: Palette;
  measure: Measure;
  /** A run's name, and the message that began it. */
  headOf(band: PlacedBand["band"]): { name: string; words: string };
  statusOf(call: MapCall): ShownCallStatus;
  textOf(value: BriefValue): string;
}

const TIP = 6;

/** A session's map as a standalone SVG at full size, in the given colors. */
export function writeMapSvg(layout: MapLayout, links: Links, picture: MapPicture): string {
  const { palette, title } = picture;
  const { width, height, bands, tops } = layout;
  const rails = railsOf(layout, links, false);
  const parts = [
    ...bands.map((placed, index) => drawBand(placed, tops[index] ?? 0, width, links, picture)),
    ...rails.flatMap(({ declared, start, x, top, bottom, branches }) => [
      line([...start, { x, y: Math.max(top, bottom) }], declared, palette, false),
      ...branches.map(({ points }) => line(points, declared, palette, layout.level === "near")),
    ]),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${Math.ceil(height)}" role="img" ${ROOT_FONT}>`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${Math.ceil(height)}" fill="${palette("canvas")}"/>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

function drawBand(placed: PlacedBand, top: number, width: number, links: Links, picture: MapPicture): string {
  const { palette, measure, headOf, statusOf } = picture;
  const { band, height, cards, frames, marks } = placed;
  const { name, words } = headOf(band);
  const nameWidth = measure(name, { size: 12, weight: 600, fill: "" }) + 8;
  const ground = band.failures > 0 ? palette("st-failed-bg") : palette("canvas");
  const left = SIZES.left;
  const room = marks.length > 0 ? wordsWidth(width) - left - 12 : width - left - 24;
  return [
    `<g transform="translate(0 ${round(top)})">`,
    `<rect width="${width}" height="${round(height)}" fill="${ground}"/>`,
    `<path d="M0 .5H${width}" stroke="${palette("line")}"/>`,
    writeText(name, left, 18, room, { size: 12, weight: 600, fill: palette("fg") }, measure),
    writeText(words, left + nameWidth, 18, room - nameWidth, { size: 12, fill: palette("fg-2") }, measure),
    ...frames.map(({ entry, x, y, width, height }) =>
      [
        writeRect({ x, y, width, height }, { radius: 5, fill: "none", stroke: palette("line-control") }),
        writeText(entry.name, x + 10, y - 2, width - 20, { size: 11, weight: 600, fill: palette("fg-2") }, measure),
      ].join(""),
    ),
    ...innerLines(placed, links).map(({ points, declared }) => line(points, declared, palette, true)),
    ...cards.map((card) => drawCard(card, links, picture)),
    ...marks.flatMap(({ calls, x, y, merged }) =>
      (merged ? calls.slice(0, 1) : calls).map((call, index) => {
        const ink = palette(`st-${STATUS[statusOf(call)].token}`);
        return writeRect(
          { x: x + index * SIZES.far.step, y, width: SIZES.far.mark, height: 14 },
          { radius: 3, fill: hasFailed(call) ? ink : palette("surface"), stroke: ink },
        );
      }),
    ),
    "</g>",
  ].join("\n");
}

function drawCard({ entry, x, y, width, height }: PlacedCard, links: Links, picture: MapPicture): string {
  const { palette, measure, statusOf, textOf } = picture;
  const [call] = entry.calls;
  const failed = entry.calls.some(hasFailed);
  const ink = palette(`st-${STATUS[statusOf(call)].token}`);
  const inner = width - 18;
  const text = (value: string, line: number, mono = false) =>
    writeText(
      value,
      x + 9,
      y + 15 + line * 16,
      inner,
      { size: 11, fill: failed ? ink : palette("fg-2"), mono },
      measure,
    );
  const name = entry.calls.length > 1 ? `${call.tool} ×${entry.calls.length}` : call.tool;
  let chipX = x;
  const chips = chipsOf(links, entry.calls).map(({ value, kind }) => {
    const wide = Math.min(measure(value, { size: 11, mono: true, fill: "" }), 96) + 10;
    if (chipX + wide > x + width) return "";
    const own = palette(kind === "inferred" ? "edge-inferred" : "fg-2");
    const chip = [
      writeRect(
        { x: chipX, y: y - SIZES.chips, width: wide, height: 17 },
        { radius: 3, fill: palette("surface"), stroke: own, dash: kind === "inferred" ? "3 2" : null },
      ),
      writeText(value, chipX + 5, y - SIZES.chips + 12, wide - 10, { size: 11, mono: true, fill: own }, measure),
    ].join("");
    chipX += wide + 4;
    return chip;
  });
  return [
    ...chips,
    writeRect(
      { x, y, width, height },
      {
        radius: 5,
        fill: palette(failed ? "st-failed-bg" : "surface"),
        stroke: failed ? ink : palette("line-strong"),
        strokeWidth: failed ? 2 : 1,
      },
    ),
    `<circle cx="${round(x + 13)}" cy="${round(y + 11)}" r="4" fill="${ink}"/>`,
    writeText(name, x + 23, y + 15, inner - 14, { size: 12, weight: 600, fill: failed ? ink : palette("fg") }, measure),
    failed
      ? text(call.error ?? "", 1)
      : call.input
        ? text(call.input.parts.map(({ name, value }) => `${name} ${value}`).join("  "), 1)
        : "",
    !failed && call.output ? text(`→ ${textOf(call.output)}`, 2, true) : "",
  ].join("");
}

function line(points: readonly { x: number; y: number }[], declared: boolean, palette: Palette, tip: boolean): string {
  const end = points.at(-1);
  if (!end) return "";
  const ink = palette(declared ? "edge" : "edge-inferred");
  const way = tracePath(tip ? shorten(points, TIP - 1) : points, 6);
  const dash = declared ? "" : ` stroke-dasharray="4 3"`;
  return [
    `<path d="${way}" fill="none" stroke="${ink}" stroke-width="1.25"${dash}/>`,
    tip ? `<path d="M${round(end.x)} ${round(end.y)}l-${TIP} -3.2v6.4z" fill="${ink}"/>` : "",
  ].join("");
}
