import { expect, test } from "vitest";
import { searchedTexts } from "./searched-texts.ts";

test("E14: strings and numbers are indexed, with paths; field names and repeated prompts are not", () => {
  expect(searchedTexts("call.succeeded", { output: { id: 7, tags: ["new", ""], done: true, none: null } })).toEqual([
    { path: "output.id", text: "7" },
    { path: "output.tags.0", text: "new" },
  ]);
  expect(searchedTexts("run.started", { instructions: "Be kind", input: { instructions: "now" } })).toEqual([
    { path: "input.instructions", text: "now" },
  ]);
  expect(searchedTexts("prompt.rendered", { prompt: "Be kind" })).toEqual([]);
});

test("E14: the indexed size is limited: of a value, of an event, of a message", () => {
  const long = "x".repeat(1_000_000);
  const lengths = (type: string, payload: Parameters<typeof searchedTexts>[1]) =>
    searchedTexts(type, payload).map(({ text }) => text.length);
  expect(lengths("log", { a: long, b: "after" })).toEqual([2_000, 5]);
  expect(lengths("log", Array(10).fill(long))).toEqual([2_000, 2_000, 2_000, 2_000]);
  expect(lengths("message.created", { content: long })).toEqual([100_000]);
});
