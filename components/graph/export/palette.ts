/** The colors of an image by token (`canvas` for `--canvas`). */
export type Palette = (token: string) => string;

/** The page's colors in the current theme, as values that any program can read. */
export function pagePalette(): Palette {
  const styles = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  return (token) => {
    const found = known.get(token) ?? (styles.getPropertyValue(`--${token}`).trim() || "currentColor");
    known.set(token, found);
    return found;
  };
}
