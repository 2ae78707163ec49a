import { expect, it } from "vitest";
import { mentionParts, mentionsIn } from "./note.ts";

const PEOPLE = ["anna", "anna maria", "Дмитрий Козлов", "j.l"];

it("finds who is mentioned, by the longest name, once, and nobody in an address", () => {
  expect(mentionsIn("@anna maria and @Дмитрий Козлов: see (@j.l), @anna maria", PEOPLE)).toEqual([
    ...["anna maria", "Дмитрий Козлов", "j.l"],
  ]);
  expect(mentionsIn("me@anna.example @annabel @boris @jxl", PEOPLE)).toEqual([]);
  expect(mentionsIn("@anna", [])).toEqual([]);
});

it("keeps the whole text in parts", () => {
  const text = "Ask @anna, please";
  expect(mentionParts(text, PEOPLE)).toEqual([
    { text: "Ask ", name: null },
    { text: "@anna", name: "anna" },
    { text: ", please", name: null },
  ]);
});
