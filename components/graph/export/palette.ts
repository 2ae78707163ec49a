/** The colours of a picture by the names of their tokens (`canvas` for `--canvas`). */
export type Palette = (token: string) => string;

/** The page's colours, as its theme has them, in a form that any program reads. */
export function pagePalette(): Palette {
  const styles = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  return (token) => {
    const found = known.get(token) ?? (styles.getPropertyValue(`--${token}`).trim() || "currentColor");
    known.set(token, found);
    return found;
  };
}
