import { embedFonts } from "./fonts.ts";
import { writeMermaid } from "./mermaid.ts";
import { pagePalette } from "./palette.ts";
import { fontOf, type Measure } from "./pen.ts";
import { drawPng } from "./png.ts";
import { sizeOf, writeSvg } from "./svg.ts";

/** Measures texts in the page's fonts. */
function pageMeasure(): Measure {
  const context = document.createElement("canvas").getContext("2d");
  return (text, type) => {
    if (!context) return text.length * type.size * 0.6;
    context.font = fontOf(type);
    return context.measureText(text).width;
  };
}

/** The code of all export formats, loaded on demand. */
export const writers = { drawPng, embedFonts, pageMeasure, pagePalette, sizeOf, writeMermaid, writeSvg };

export type Writers = typeof writers;
