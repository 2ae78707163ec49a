import { expect, it } from "vitest";
import { isChanged, type LineGroup, lineChanges } from "./line-changes.ts";

/** The groups as text: `…12` is a fold of twelve lines, changed words are in brackets. */
function seen(groups: LineGroup[] | null): string[] {
  const sign = { same: " ", add: "+", remove: "-" };
  return (groups ?? []).flatMap(({ folded, lines }) =>
    folded
      ? [`…${lines.length}`]
      : lines.map(
          ({ kind, words }) => sign[kind] + words.map(({ text, changed }) => (changed ? `[${text}]` : text)).join(""),
        ),
  );
}

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}`);

it("H6: changes have three lines of context, and long unchanged parts are folded", () => {
  const before = [...lines(1, 20), "gone", ...lines(21, 40)].join("\n");
  const after = [...lines(1, 20), ...lines(21, 40), "new"].join("\n");
  expect(seen(lineChanges(before, after))).toEqual([
    "…17",
    " line 18",
    " line 19",
    " line 20",
    "-gone",
    " line 21",
    " line 22",
    " line 23",
    "…14",
    " line 38",
    " line 39",
    " line 40",
    "+new",
  ]);
});

it("H6: Russian text is compared by words, not by letters", () => {
  expect(seen(lineChanges("Сумма сделки теперь 5 рублей", "Сумма сделки раньше 5 рублей"))).toEqual([
    "-Сумма сделки [теперь] 5 рублей",
    "+Сумма сделки [раньше] 5 рублей",
  ]);
});

it("H6: in a line with few changes, the different words are marked", () => {
  expect(seen(lineChanges("Now: 09:02, Moscow\nend", "Now: 09:03, Moscow\nend"))).toEqual([
    "-Now: 09:[02], Moscow",
    "+Now: 09:[03], Moscow",
    " end",
  ]);
  expect(seen(lineChanges("one thing", "quite another"))).toEqual(["-one thing", "+quite another"]);
});

it("H6: equal prompts have no changes", () => {
  expect(isChanged(lineChanges("a\nb", "a\nb") ?? [])).toBe(false);
  expect(isChanged(lineChanges("", "") ?? [])).toBe(false);
  expect(isChanged(lineChanges("a", "b") ?? [])).toBe(true);
});
