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
    await untilSettled(image);
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

/** The size of samples, px, their interval, ms, and how many in a row are equal when nothing more will come. */
const SAMPLE = 240;
const INTERVAL = 20;
const EQUAL = 5;
const MOST_SAMPLES = 100;

/**
 * Waits for the fonts inside of an image: they are loaded when it is first drawn, and nothing says when they are there.
 * Until then its texts are invisible.
 */
async function untilSettled(image: HTMLImageElement): Promise<void> {
  const canvas = new OffscreenCanvas(SAMPLE, SAMPLE);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  let last = "";
  let equal = 0;
  for (let count = 0; context && count < MOST_SAMPLES && equal < EQUAL; count++) {
    context.clearRect(0, 0, SAMPLE, SAMPLE);
    context.drawImage(image, 0, 0, SAMPLE, SAMPLE);
    const sample = context.getImageData(0, 0, SAMPLE, SAMPLE).data.join();
    equal = sample === last ? equal + 1 : 0;
    last = sample;
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
  }
}

/** The scale for an image of this size; smaller for a very large plan. */
export function scaleOf(width: number, height: number): number {
  return Math.min(SCALE, LONGEST / width, LONGEST / height, Math.sqrt(MOST_PIXELS / (width * height)));
}
