import { escapeXml } from "./markup.ts";

/** Text style. */
export interface Type {
  size: number;
  weight?: number;
  mono?: boolean;
  fill: string;
  align?: "end";
  /** Where a long text is truncated: at its end by default. A path keeps its kind and its end. */
  cutAt?: "start";
}

/** The width of a text, px. */
export type Measure = (text: string, type: Type) => number;

const FAMILIES = {
  ui: "Inter, 'Inter Variable', ui-sans-serif, system-ui, sans-serif",
  mono: "'JetBrains Mono', 'JetBrains Mono Variable', ui-monospace, Menlo, Consolas, monospace",
} as const;

/** The CSS font of a text. */
export function fontOf({ size, weight = 400, mono = false }: Type): string {
  return `${weight} ${size}px ${mono ? FAMILIES.mono : FAMILIES.ui}`;
}

/**
 * A line of text in a maximum width. `textLength` is set, so that a substitute font does not overlap its neighbours.
 */
export function writeText(text: string, x: number, y: number, room: number, type: Type, measure: Measure): string {
  const shown = cut(text, room, type, measure);
  if (shown === "") return "";
  const { size, weight, mono = false, fill, align } = type;
  const look = [
    `x="${round(x)}" y="${round(y)}" fill="${escapeXml(fill)}" font-size="${size}"`,
    weight === undefined ? null : `font-weight="${weight}"`,
    mono ? `font-family="${FAMILIES.mono}"` : null,
    align ? `text-anchor="${align}"` : null,
    `textLength="${round(Math.min(room, measure(shown, type)))}" lengthAdjust="spacingAndGlyphs"`,
  ];
  return `<text ${look.filter((part) => part !== null).join(" ")}>${escapeXml(shown)}</text>`;
}

/** A rounded rectangle. */
export function writeRect(
  box: { x: number; y: number; width: number; height: number },
  look: { radius: number; fill: string; stroke?: string; strokeWidth?: number; dash?: string | null },
): string {
  const { radius, fill, stroke, strokeWidth = 1, dash } = look;
  const line = stroke === undefined ? "" : ` stroke="${escapeXml(stroke)}" stroke-width="${strokeWidth}"`;
  const dashes = dash ? ` stroke-dasharray="${dash}"` : "";
  return `<rect x="${round(box.x)}" y="${round(box.y)}" width="${round(box.width)}" height="${round(box.height)}" rx="${radius}" fill="${escapeXml(fill)}"${line}${dashes}/>`;
}

/** Font of the root element; spaces are preserved. */
export const ROOT_FONT = `font-family="${FAMILIES.ui}"`;

/** More characters never fit a card. */
const LONGEST = 400;

/** Coordinates are rounded to 0.01 px. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function cut(text: string, room: number, type: Type, measure: Measure): string {
  const plain = text.replace(/\s+/g, " ").trim();
  if (room <= 0) return "";
  if (measure(plain, type) <= room) return plain;
  const kind = /^†[^.[]*/u.exec(plain)?.[0] ?? "";
  const letters = type.cutAt === "start" ? [...plain].slice(-LONGEST) : [...plain].slice(0, LONGEST);
  const keep = (count: number) =>
    type.cutAt === "start"
      ? `${kind}…${letters.slice(letters.length - count).join("")}`
      : `${letters.slice(0, count).join("").trimEnd()}…`;
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(keep(middle), type) <= room) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : keep(low);
}
