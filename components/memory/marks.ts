/** How an entry came to be what it is at a step. */
export type Mark = "add" | "change" | "remove";

/** An entry of a list, marked where the step brought it or took it away. */
export interface Marked<T> {
  entry: T;
  mark: Mark | null;
}

/**
 * The entries of a list after a step, those it brought marked, and after them those it took away. Entries are the same
 * by what they say, wherever they stand: a goal that moved to the front is none the newer for it.
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

/** The same of entries by name: one that is there on both sides and differs is changed. */
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

/** Memory changes by patches, which leave the order of keys as it is. */
function isSame<T>(a: T, b: T): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
