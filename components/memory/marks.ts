/** How the step changed an entry. */
export type Mark = "add" | "change" | "remove";

/** A list entry, marked when the step added or removed it. */
export interface Marked<T> {
  entry: T;
  mark: Mark | null;
}

/**
 * The entries of a list after a step, added ones marked, followed by removed ones. Entries are compared by content, so
 * a moved entry is not new.
 */
export function markList<T>(before: readonly T[] | null, after: readonly T[]): Marked<T>[] {
  if (before === null) return after.map((entry) => ({ entry, mark: null }));
  const left = [...before];
  const now = after.map((entry): Marked<T> => {
    const same = left.findIndex((old) => isSame(old, entry));
    if (same < 0) return { entry, mark: "add" };
    left.splice(same, 1);
    return { entry, mark: null };
  });
  return [...now, ...left.map((entry): Marked<T> => ({ entry, mark: "remove" }))];
}

/** The same for named entries: one on both sides that differs is changed. */
export function markRecord<T>(
  before: Readonly<Record<string, T>> | null,
  after: Readonly<Record<string, T>>,
): [name: string, marked: Marked<T>][] {
  const markOf = (name: string, entry: T): Mark | null => {
    if (before === null) return null;
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (old === undefined) return "add";
    return isSame(old, entry) ? null : "change";
  };
  const now = Object.entries(after).map(([name, entry]): [string, Marked<T>] => [
    name,
    { entry, mark: markOf(name, entry) },
  ]);
  const gone = Object.entries(before ?? {})
    .filter(([name]) => !Object.hasOwn(after, name))
    .map(([name, entry]): [string, Marked<T>] => [name, { entry, mark: "remove" }]);
  return [...now, ...gone];
}

/** Memory is changed by patches, which keep the order of keys. */
function isSame<T>(a: T, b: T): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
