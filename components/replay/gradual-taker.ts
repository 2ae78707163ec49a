/**
 * Creates a function that takes a list's items step by step: those that it took before, and at most `most` others, the
 * last ones first.
 */
export function gradualTaker<T>(idOf: (item: T) => string): (items: readonly T[], most: number) => readonly T[] {
  let taken: ReadonlySet<string> = new Set();
  return (items, most) => {
    const others = items.filter((item) => !taken.has(idOf(item)));
    const late = new Set(others.slice(0, Math.max(others.length - most, 0)));
    const shown = late.size === 0 ? items : items.filter((item) => !late.has(item));
    taken = new Set(shown.map(idOf));
    return shown;
  };
}
