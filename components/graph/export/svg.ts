import type { LinkState } from "../edge/link-state.ts";
import { shorten, tracePath } from "../edge/trace.ts";
import type { Caption, Layout, PlacedEdge, PlacedNode } from "../layout/layout.ts";
import { escapeXml } from "./markup.ts";
import type { Palette } from "./palette.ts";
import { ROOT_FONT, round, writeText } from "./pen.ts";
import { type CardWords, type Drawing, drawCard } from "./svg-card.ts";

/** The content of an image besides the layout. */
export interface Picture extends Drawing {
  title: string;
  wordsOf(placed: PlacedNode): CardWords;
  stateOf(edge: PlacedEdge): LinkState;
  headingOf(caption: Caption): string;
}

/** The margin, px; above it is room for the numbers of recorded calls. */
const MARGIN = 24;
const TIP = 7;
const AT_PILL = 1;
const AT_BAR = 8;

/** A layout as a standalone SVG (C4) at full size, in the given colors and with the fonts of `embedFonts`. */
export function writeSvg(layout: Layout, picture: Picture): string {
  const { palette, measure } = picture;
  const { width, height } = sizeOf(layout);
  const frames = layout.nodes.filter(({ node }) => node.open).toSorted((a, b) => a.depth - b.depth);
  const cards = layout.nodes.filter(({ node }) => !node.open);
  const draw = (placed: PlacedNode) => drawCard(placed, picture.wordsOf(placed), picture);
  const parts = [
    ...layout.captions.map((caption) =>
      writeText(picture.headingOf(caption), caption.x, caption.y + 12, caption.width, captionType(palette), measure),
    ),
    ...layout.connectors.map((points) => line(tracePath(points), palette("line-control"), "")),
    ...frames.map(draw),
    ...layout.edges.map((edge) => drawEdge(edge, picture.stateOf(edge), palette)),
    ...cards.map(draw),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}" role="img" ${ROOT_FONT}>`,
    `<title>${escapeXml(picture.title)}</title>`,
    `<rect x="${-MARGIN}" y="${-MARGIN}" width="${width}" height="${height}" fill="${palette("canvas")}"/>`,
    ...parts.filter((part) => part !== ""),
    "</svg>",
    "",
  ].join("\n");
}

/** The size of a layout's image, px. */
export function sizeOf({ width, height }: Pick<Layout, "width" | "height">): { width: number; height: number } {
  return { width: Math.ceil(width) + MARGIN * 2, height: Math.ceil(height) + MARGIN * 2 };
}

function drawEdge(edge: PlacedEdge, state: LinkState, palette: Palette): string {
  const output = edge.from.box.outputs[edge.output];
  const pill = edge.to.box.pills[edge.pill];
  const points = shorten(edge.points, pill?.barred ? AT_BAR : AT_PILL);
  const end = points.at(-1);
  if (!end) return "";
  const isOff = state === "off" || state === "cut";
  const ink = palette(state === "done" ? "edge" : isOff ? "edge-off" : "edge-idle");
  const way = tracePath(shorten(points, TIP - 1));
  const isRail = output?.fanOut === true && state !== "off";
  const dash = state === "off" ? "1 4" : pill?.fallback ? "6 4" : "";
  const bar = shorten(points, 16).at(-1);
  return [
    line(way, ink, dash, isRail ? 4 : 1.5),
    isRail ? line(way, palette("canvas"), "", 1.6) : "",
    ...(state === "off" ? [] : edge.junctions).map(
      ({ x, y }) => `<circle cx="${round(x)}" cy="${round(y)}" r="2.6" fill="${ink}"/>`,
    ),
    `<path d="M${round(end.x)} ${round(end.y)}l-${TIP} -3.6v7.2z" fill="${isOff ? palette("canvas") : ink}" stroke="${ink}" stroke-width="${isOff ? 1.2 : 0}"/>`,
    state === "cut" && bar
      ? `<path d="M${round(bar.x)} ${round(bar.y - 5)}v10" stroke="${palette("st-blocked")}" stroke-width="2"/>`
      : "",
  ].join("");
}

function line(way: string, ink: string, dash: string, width = 1.5): string {
  const dashes = dash === "" ? "" : ` stroke-dasharray="${dash}" stroke-linecap="${dash === "1 4" ? "round" : "butt"}"`;
  return `<path d="${way}" fill="none" stroke="${ink}" stroke-width="${width}"${dashes}/>`;
}

function captionType(palette: Palette) {
  return { size: 11, fill: palette("fg-3") };
}
