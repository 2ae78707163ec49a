import { describe, expect, test } from "vitest";
import { hitIn, mayGoOn, searchWordsOf } from "./search-hit.ts";

const marked = (content: string, typed: string) =>
  hitIn(
    { seq: 1, type: "message.created", payload: { message_id: "m", role: "user", content } },
    searchWordsOf(typed),
  ).parts.map((part) => (part.marked ? `[${part.text}]` : part.text));

describe("E14: words are marked as the index matches them", () => {
  test.each([
    ["Please refund the café visit", "cafe", ["Please refund the ", "[café]", " visit"]],
    ["Please refund the cafe visit", "CAFÉ", ["Please refund the ", "[cafe]", " visit"]],
    ["мой май", "май", ["мой ", "[май]"]],
    ["Деньги вернём завтра", "день", ["[Деньги]", " вернём завтра"]],
    ["50% of it, order A-77 of 77", "A-77", ["50% of it, order ", "[A-77]", " of 77"]],
    ["in the end, the theme", "the end", ["in ", "[the]", " ", "[end]", ", ", "[the]", " theme"]],
    ["a cat and a b", "a", ["[a]", " cat and ", "[a]", " b"]],
  ])("%j by %j", (content, typed, parts) => {
    expect(marked(content, typed)).toEqual(parts);
  });
});

test("E14: a single letter or digit is a whole word, in a script without spaces a prefix", () => {
  expect(["a", "я", "7", "ab", "中"].map(mayGoOn)).toEqual([false, false, false, true, true]);
});

test("E14: the value with most of the words is shown, without one only the event", () => {
  const event = { seq: 4, type: "call.started", payload: { params: { to: "Anna", text: "Hello Anna" } } };
  expect(hitIn(event, ["hello", "anna"])).toMatchObject({ seq: 4, where: "event", role: null, path: "params.text" });
  expect(hitIn({ seq: 4, type: "run.started", payload: {} }, ["x"])).toMatchObject({ path: null, parts: [] });
});
