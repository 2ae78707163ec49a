import type { Frame } from "./frame.ts";

interface Ink {
  color: string;
  font: string;
  weight?: 400 | 500;
}

/** Less room than this says nothing; measuring text is what costs most, so it is not even tried. */
export const LEAST_ROOM = 14;

/** Sets the type for measuring and writing. */
export function setType({ context, palette }: Frame, { color, font, weight = 400 }: Ink): void {
  context.font = `${weight} ${font} ${palette.ui}`;
  context.fillStyle = color;
  context.textBaseline = "middle";
}

/** Writes one line from `x`, cut to `room` pixels; `y` is its middle. Returns its width, 0 when nothing fits. */
export function write({ context }: Frame, text: string, at: { x: number; y: number; room: number }): number {
  if (at.room < LEAST_ROOM) return 0;
  const cut = cutTo(context, text, at.room);
  if (cut === "") return 0;
  // Half a pixel down: the middle of lower case lies below the middle of the line.
  context.fillText(cut, at.x, at.y + 0.5);
  return context.measureText(cut).width;
}

function cutTo(context: CanvasRenderingContext2D, text: string, room: number): string {
  const width = context.measureText(text).width;
  if (width <= room) return text;
  const letters = Math.floor((text.length * (room - 8)) / width);
  return letters < 2 ? "" : `${text.slice(0, letters).trimEnd()}…`;
}
