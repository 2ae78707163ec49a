import type { Frame } from "./frame.ts";

interface Ink {
  color: string;
  font: string;
  weight?: 400 | 500;
}

/** In less space no text is tried, because measuring is expensive. */
export const LEAST_ROOM = 14;

/** Sets the font for measuring and drawing. */
export function setType({ context, palette }: Frame, { color, font, weight = 400 }: Ink): void {
  context.font = `${weight} ${font} ${palette.ui}`;
  context.fillStyle = color;
  context.textBaseline = "middle";
}

/** Draws one line from `x`, truncated to `room` pixels; `y` is its middle. Returns its width, 0 when nothing fits. */
export function write({ context }: Frame, text: string, at: { x: number; y: number; room: number }): number {
  if (at.room < LEAST_ROOM) return 0;
  const cut = cutTo(context, text, at.room);
  if (cut === "") return 0;
  // Half a pixel lower, to center lower-case letters.
  context.fillText(cut, at.x, at.y + 0.5);
  return context.measureText(cut).width;
}

function cutTo(context: CanvasRenderingContext2D, text: string, room: number): string {
  const width = context.measureText(text).width;
  if (width <= room) return text;
  const letters = Math.floor((text.length * (room - 8)) / width);
  return letters < 2 ? "" : `${text.slice(0, letters).trimEnd()}…`;
}
