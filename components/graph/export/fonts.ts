/** The page's fonts that an image uses; a browser draws an image without those of the page. */
const FAMILIES = /Inter Variable|JetBrains Mono Variable/;

/** An SVG with the parts of the page's fonts that its texts need. Without them, as on a failed load, it is unchanged. */
export async function embedFonts(svg: string): Promise<string> {
  const letters = new Set([...svg].map((letter) => letter.codePointAt(0) ?? 0));
  const rules = fontRules().filter(({ style }) => covers(style.getPropertyValue("unicode-range"), letters));
  const faces = await Promise.all(rules.map(readFace));
  const css = faces.filter((face) => face !== null).join("");
  return css === "" ? svg : svg.replace("<title>", `<style>${css}</style><title>`);
}

function fontRules(): CSSFontFaceRule[] {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule)
    .filter(({ style }) => FAMILIES.test(style.getPropertyValue("font-family")));
}

/** Whether a range such as `U+0000-00FF,U+0131` has one of the letters; all have them without a range. */
export function covers(range: string, letters: ReadonlySet<number>): boolean {
  const parts = [...range.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/gi)].map(([, from = "0", to = from]) => ({
    from: Number.parseInt(from, 16),
    to: Number.parseInt(to, 16),
  }));
  if (parts.length === 0) return true;
  return [...letters].some((letter) => parts.some(({ from, to }) => letter >= from && letter <= to));
}

/** A face whose source is in it; null if it cannot be loaded. */
async function readFace({ style, parentStyleSheet }: CSSFontFaceRule): Promise<string | null> {
  const source = /url\("?([^")]+)"?\)/.exec(style.getPropertyValue("src"))?.[1];
  if (source === undefined) return null;
  const response = await fetch(new URL(source, parentStyleSheet?.href ?? document.baseURI)).catch(() => null);
  if (!response?.ok) return null;
  const data = await asDataUrl(await response.blob());
  const [family, weight, range] = ["font-family", "font-weight", "unicode-range"].map((name) =>
    style.getPropertyValue(name),
  );
  // Without its range, a face would replace those of other alphabets.
  return `@font-face{font-family:${family};font-weight:${weight};unicode-range:${range || "U+0-10FFFF"};src:url(${data})}`;
}

function asDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
