import type { Size } from "../chart/use-size.ts";

/** A cleared canvas in CSS pixels at the device's resolution. */
export function prepare(canvas: HTMLCanvasElement, { width, height, ratio }: Size): CanvasRenderingContext2D {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser draws no canvas");
  const pixels = { width: Math.round(width * ratio), height: Math.round(height * ratio) };
  if (canvas.width !== pixels.width) canvas.width = pixels.width;
  if (canvas.height !== pixels.height) canvas.height = pixels.height;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
