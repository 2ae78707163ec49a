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

/** How many names and texts are remembered with their words: a session has few different ones. */
const MOST_REMEMBERED = 5_000;
const byNames = new Map<string, PathWords>();
const byText = new Map<string, ReadonlySet<string>>();

interface PathWords {
  field: ReadonlySet<string>;
  own: ReadonlySet<string>;
  /** The last name that is no index. */
  last: string;
  isChoice: boolean;
}

/** The words of the last two names of a JSON Pointer: `/patients/0/dateOfBirth` is about patient, date and birth. */
export function fieldWords(pointer: string): ReadonlySet<string> {
  return wordsOfPath(pointer).field;
}

/** The words of the last name alone; of the one before it if it says nothing. */
export function ownWords(pointer: string): ReadonlySet<string> {
  return wordsOfPath(pointer).own;
}

function wordsOfPath(pointer: string): PathWords {
  return remembering(byNames, lastNames(pointer), (names) => {
    const [name = "", nameBefore = ""] = names.split("/");
    const last = wordsOf(name);
    const before = wordsOf(nameBefore);
    return {
      field: new Set([...last, ...before]),
      own: new Set(last.length > 0 ? last : before),
      last: name,
      isChoice: spelled(name).some((word) => CHOICES.has(word)),
    };
  });
}

/** The last two names that are no indexes, the last one first: `id/orders`. */
function lastNames(pointer: string): string {
  let last: string | null = null;
  for (let end = pointer.length; end > 0; ) {
    const start = pointer.lastIndexOf("/", end - 1);
    const name = pointer.slice(start + 1, end);
    end = start;
    if (name === "" || /^\d+$/.test(name)) continue;
    if (last !== null) return `${last}/${name}`;
    last = name;
  }
  return last ?? "";
}

function remembering<T>(known: Map<string, T>, key: string, make: (key: string) => T): T {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make(key);
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.set(key, made);
  return made;
}

/** Words of a text that a field may be named by. */
export function wordsNear(text: string): ReadonlySet<string> {
  return remembering(byText, text, (words) => new Set(wordsOf(words)));
}

/** Whether a field holds one of a few values. */
export function isChoice(pointer: string): boolean {
  return wordsOfPath(pointer).isChoice;
}

/** The last name that is no index. */
export function lastName(pointer: string): string {
  return wordsOfPath(pointer).last;
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
