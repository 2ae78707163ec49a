/** Scale 2 for high-density screens, within the canvas limits of browsers. */
const SCALE = 2;
const LONGEST = 16_000;
const MOST_PIXELS = 120_000_000;

/** Renders an SVG to PNG in the browser. Throws when it cannot be rendered. */
export async function drawPng(svg: string, { width, height }: { width: number; height: number }): Promise<Blob> {
  const scale = scaleOf(width, height);
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!drawn) throw new Error("The browser drew no picture");
    return drawn;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** The scale for an image of this size; smaller for a very large plan. */
export function scaleOf(width: number, height: number): number {
  return Math.min(SCALE, LONGEST / width, LONGEST / height, Math.sqrt(MOST_PIXELS / (width * height)));
}
