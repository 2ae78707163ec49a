import type { Permission } from "@/lib/access/caller.ts";

interface Shortcut {
  /** The keys (see `chordOf`). No chord has two meanings. */
  chords: readonly string[];
  /** It repeats while the key is held. */
  repeats?: true;
  /** It changes data, so it does not act on something that was selected automatically a moment ago. */
  decides?: true;
  /** The required permission, if any. */
  needs?: Permission;
}

/** All keyboard shortcuts of the console. Pages list theirs in `pages.ts`. */
export const SHORTCUTS = {
  help: { chords: ["?"] },
  close: { chords: ["Escape"] },
  undo: { chords: ["Z", "Mod+Z"] },
  redo: { chords: ["Shift+Z", "Mod+Shift+Z", "Mod+Y"] },

  next: { chords: ["J"], repeats: true },
  previous: { chords: ["K"], repeats: true },
  down: { chords: ["ArrowDown"], repeats: true },
  up: { chords: ["ArrowUp"], repeats: true },
  pageDown: { chords: ["PageDown"], repeats: true },
  pageUp: { chords: ["PageUp"], repeats: true },
  first: { chords: ["Home"], repeats: true },
  last: { chords: ["End"], repeats: true },
  open: { chords: ["Enter"] },
  mark: { chords: ["X"] },
  compare: { chords: ["V"] },
  search: { chords: ["/"] },
  filter: { chords: ["F"] },
  create: { chords: ["N"], needs: "ingest" },

  approve: { chords: ["A"], decides: true, needs: "decide" },
  deny: { chords: ["D"], decides: true, needs: "decide" },
  edit: { chords: ["E"] },
  takeOver: { chords: ["T"], decides: true, needs: "operate" },
  studio: { chords: ["O"] },

  play: { chords: ["Space"] },
  forward: { chords: ["ArrowRight"], repeats: true },
  backward: { chords: ["ArrowLeft"], repeats: true },
  nextCall: { chords: ["Shift+ArrowRight"], repeats: true },
  previousCall: { chords: ["Shift+ArrowLeft"], repeats: true },
  nextMessage: { chords: ["Alt+ArrowRight"], repeats: true },
  previousMessage: { chords: ["Alt+ArrowLeft"], repeats: true },
  /** An error in the studio, a difference in a comparison. */
  nextFinding: { chords: ["]"], repeats: true },
  previousFinding: { chords: ["["], repeats: true },
  nextApproval: { chords: ["W"], repeats: true },
  previousApproval: { chords: ["Shift+W"], repeats: true },
  nextAlert: { chords: ["M"], repeats: true },
  previousAlert: { chords: ["Shift+M"], repeats: true },
  bookmark: { chords: ["B"], needs: "operate" },
  rangeBegin: { chords: ["I"] },
  rangeEnd: { chords: ["Shift+I"] },
  live: { chords: ["L"] },
  /** In the studio: from the session's map to the run's plan, and back. */
  map: { chords: ["P"] },
  list: { chords: ["U"] },
  zoomIn: { chords: ["+", "="], repeats: true },
  zoomOut: { chords: ["-"], repeats: true },
  zoomAll: { chords: ["0"] },

  run: { chords: ["R"], decides: true, needs: "operate" },
  save: { chords: ["S"], decides: true, needs: "admin" },
  drawEdge: { chords: ["G"] },
  duplicate: { chords: ["Mod+D"] },
  selectAll: { chords: ["Mod+A"] },
  remove: { chords: ["Delete", "Backspace"] },

  /** The prompts of the welcome page. */
  firstPrompt: { chords: ["1"], needs: "ingest" },
  secondPrompt: { chords: ["2"], needs: "ingest" },
  thirdPrompt: { chords: ["3"], needs: "ingest" },

  copyValue: { chords: ["C"] },
  copyPath: { chords: ["Shift+C"] },
} as const satisfies Record<string, Shortcut>;

export type ShortcutName = keyof typeof SHORTCUTS;

/** Shortcuts that decide something. */
export type DecidingName = {
  [Name in ShortcutName]: (typeof SHORTCUTS)[Name] extends { decides: true } ? Name : never;
}[ShortcutName];

const NAMES = new Map<string, ShortcutName>();
for (const name of shortcutNames()) for (const chord of SHORTCUTS[name].chords) NAMES.set(chord, name);

/** The shortcut of a chord; undefined for none. */
export function meaningOf(chord: string): ShortcutName | undefined {
  return NAMES.get(chord);
}

/** The fields of a shortcut besides its keys. */
export function shortcutOf(name: ShortcutName): Shortcut {
  return SHORTCUTS[name];
}

function shortcutNames(): ShortcutName[] {
  const isName = (name: string): name is ShortcutName => Object.hasOwn(SHORTCUTS, name);
  return Object.keys(SHORTCUTS).filter(isName);
}

type Pressed = Pick<KeyboardEvent, "key" | "code" | "shiftKey" | "altKey" | "ctrlKey" | "metaKey" | "getModifierState">;

/**
 * A chord as in the table: `A`, `Shift+W`, `Mod+Z`, `?`. A key is the printed one; if that is no Latin letter or sign,
 * it is that of a US keyboard, so that `Ф` is `A`.
 */
export function chordOf(event: Pressed): string {
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
  const base = baseOf(event);
  // Some layouts use it for brackets.
  if (event.getModifierState("AltGraph")) return base;
  // For signs, Shift is part of the key.
  const shift = shiftKey && (base.length > 1 || /^[A-Z]$/.test(base)) && key !== " ";
  return `${ctrlKey || metaKey ? "Mod+" : ""}${altKey ? "Alt+" : ""}${shift ? "Shift+" : ""}${base}`;
}

const ENGLISH: Record<string, string> = { BracketLeft: "[", BracketRight: "]", Slash: "/", Minus: "-", Equal: "=" };

function baseOf({ key, code }: Pressed): string {
  if (key === " ") return "Space";
  if (/^[!-~]$/.test(key)) return key.toUpperCase();
  if (key.length > 1) return key;
  return code.startsWith("Key") ? code.slice(3) : (ENGLISH[code] ?? key);
}

const PRINTED: Record<string, string> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  Space: "␣",
  Mod: "Ctrl",
  "-": "−",
};

/** The printed key of a shortcut; the first of several. */
export function printedKey(name: ShortcutName): string {
  const [chord] = SHORTCUTS[name].chords;
  // Between the keys of a chord, not the key + itself.
  return chord
    .split(/(?<=.)\+(?=.)/)
    .map((key) => PRINTED[key] ?? key)
    .join(" ");
}
