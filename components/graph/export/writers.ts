import { fontOf, type Measure } from "./pen.ts";

// All that writes a plan as a file: it is loaded when somebody asks for one.
export { writeMermaid } from "./mermaid.ts";
export { pagePalette } from "./palette.ts";
export { drawPng } from "./png.ts";
export { sizeOf, writeSvg } from "./svg.ts";

/** Measures texts as the browser sets them in the page's fonts. */
export function pageMeasure(): Measure {
  const context = document.createElement("canvas").getContext("2d");
  return (text, type) => {
    if (!context) return text.length * type.size * 0.6;
    context.font = fontOf(type);
    return context.measureText(text).width;
  };
}
