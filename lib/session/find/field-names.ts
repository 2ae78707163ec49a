/** Names that say nothing of what a value is. */
const GENERIC = new Set(
  ["id", "ids", "no", "nr", "num", "number", "name", "code", "key", "value", "result", "data", "item", "text"].concat([
    ...[
      "date",
      "time",
      "start",
      "end",
      "list",
      "content",
      "of",
      "the",
      "to",
      "at",
      "on",
      "by",
      "in",
      "for",
      "from",
      "is",
      "new",
      "old",
    ],
  ]),
);
/** Fields whose values are a choice of a few, in most programs. */
const CHOICES = new Set(
  ["status", "state", "type", "kind", "severity", "priority", "urgency", "level", "language", "lang", "locale"].concat([
    ...["mode", "format", "encoding", "charset", "unit", "currency", "channel", "category", "gender", "color", "size"],
    ...["day", "weekday", "interval", "frequency", "role", "sort", "order", "direction", "method", "cabin", "class"],
    ...["seat", "visibility", "strategy", "line", "segment", "risk", "sex", "country", "timezone", "scope", "stage"],
  ]),
);

/** How many paths are remembered with their words: a session has few, but for indexes. */
const MOST_PATHS = 5_000;
const remembered = new Map<string, { field: ReadonlySet<string>; own: ReadonlySet<string> }>();

/** The words of the last two names of a JSON Pointer: `/patients/0/dateOfBirth` is about patient, date and birth. */
export function fieldWords(pointer: string): ReadonlySet<string> {
  return wordsOfPath(pointer).field;
}

/** The words of the last name alone; of the one before it if it says nothing. */
export function ownWords(pointer: string): ReadonlySet<string> {
  return wordsOfPath(pointer).own;
}

function wordsOfPath(pointer: string) {
  const known = remembered.get(pointer);
  if (known) return known;
  const names = pointer.split("/").filter((name) => name !== "" && !/^\d+$/.test(name));
  const last = wordsOf(names.at(-1) ?? "");
  const before = wordsOf(names.at(-2) ?? "");
  const words = { field: new Set([...last, ...before]), own: new Set(last.length > 0 ? last : before) };
  if (remembered.size >= MOST_PATHS) remembered.clear();
  remembered.set(pointer, words);
  return words;
}

/** Words of a text that a field may be named by. */
export function wordsNear(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text));
}

/** Whether a field holds one of a few values. */
export function isChoice(pointer: string): boolean {
  return spelled(lastName(pointer)).some((word) => CHOICES.has(word));
}

/** The last name that is no index. */
export function lastName(pointer: string): string {
  return pointer.split("/").findLast((name) => name !== "" && !/^\d+$/.test(name)) ?? "";
}

function wordsOf(name: string): string[] {
  return spelled(name).filter((word) => word.length > 1 && !GENERIC.has(word));
}

function spelled(name: string): string[] {
  const parts = name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").match(/\p{L}+/gu) ?? [];
  return parts.map((part) => {
    const word = part.toLowerCase();
    return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") && !word.endsWith("us")
      ? word.slice(0, -1)
      : word;
  });
}
