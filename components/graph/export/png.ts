/** Twice its size is crisp on any screen; browsers draw no larger canvases than these. */
const SCALE = 2;
const LONGEST = 16_000;
const MOST_PIXELS = 120_000_000;

/** An SVG as a PNG, drawn by the browser. Throws where it cannot be drawn. */
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

/** How much larger than life a picture of this size is drawn; a very large plan smaller. */
export function scaleOf(width: number, height: number): number {
  return Math.min(SCALE, LONGEST / width, LONGEST / height, Math.sqrt(MOST_PIXELS / (width * height)));
}
