import { expect, test } from "vitest";
import { chordOf, meaningOf, printedKey, SHORTCUTS } from "./shortcuts.ts";

const pressed = (key: string, code: string, held: Partial<Record<"shift" | "alt" | "ctrl" | "AltGraph", true>> = {}) =>
  chordOf({
    key,
    code,
    shiftKey: held.shift ?? false,
    altKey: held.alt ?? false,
    ctrlKey: held.ctrl ?? false,
    metaKey: false,
    getModifierState: (name) => name === "AltGraph" && held.AltGraph === true,
  });

test("C2: a key has one meaning on every page", () => {
  const chords = Object.values(SHORTCUTS).flatMap((one) => [...one.chords] as string[]);
  expect(chords.filter((chord, index) => chords.indexOf(chord) !== index)).toEqual([]);
});

test("C2: a key is the printed one; with a non-Latin layout, the one of a US keyboard", () => {
  expect(meaningOf(pressed("a", "KeyA"))).toBe("approve");
  expect(meaningOf(pressed("ф", "KeyA"))).toBe("approve");
  // An AZERTY keyboard has Q where QWERTY has A.
  expect(meaningOf(pressed("q", "KeyA"))).toBeUndefined();
  expect(meaningOf(pressed("a", "KeyQ"))).toBe("approve");
  expect(meaningOf(pressed("ъ", "BracketRight"))).toBe("nextFinding");
  expect(meaningOf(pressed("]", "Digit9", { alt: true, ctrl: true, AltGraph: true }))).toBe("nextFinding");
  expect(meaningOf(pressed("W", "KeyW", { shift: true }))).toBe("previousApproval");
  expect(meaningOf(pressed("?", "Slash", { shift: true }))).toBe("help");
  expect(meaningOf(pressed("+", "Equal", { shift: true }))).toBe("zoomIn");
  expect(meaningOf(pressed("z", "KeyZ", { ctrl: true }))).toBe("undo");
  expect(meaningOf(pressed("b", "KeyB", { ctrl: true }))).toBeUndefined();
  expect(meaningOf(pressed(" ", "Space"))).toBe("play");
});

test("C2: a shortcut is shown with its first key", () => {
  expect([printedKey("previousApproval"), printedKey("zoomIn"), printedKey("close"), printedKey("undo")]).toEqual([
    "Shift W",
    "+",
    "Esc",
    "Z",
  ]);
});
