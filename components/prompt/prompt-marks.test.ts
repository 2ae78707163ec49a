import { describe, expect, it } from "vitest";
import { type MarkedPrompt, markPrompt, type ReplacedPart } from "./prompt-marks.ts";

const textOf = ({ blocks }: MarkedPrompt) => blocks.map((pieces) => pieces.map(({ text }) => text).join("")).join("");

/** The marked pieces, as `placeholder: text`. */
const marked = ({ marks, blocks }: MarkedPrompt) =>
  blocks.flat().flatMap(({ mark, text }) => {
    const found = mark === null ? undefined : marks[mark];
    return found ? [`${found.part.placeholder}${found.message ? ` ${found.message.id}` : ""}: ${text}`] : [];
  });

const part = (start: number, end: number, placeholder = "userId"): ReplacedPart => ({
  start,
  end,
  placeholder,
  origin: "user",
});

describe("H6: the replaced parts of a prompt are marked", () => {
  it("marks each part, and each message of the history, in the prompt's own text", () => {
    const prompt = "I am anna.\n[10:00] User: hi\n[10:01] Agent: hello\nBe brief.";
    const first = prompt.indexOf("[10:00]");
    const second = prompt.indexOf("[10:01]");
    const end = prompt.indexOf("\nBe brief.");
    const history = {
      ...part(first, end, "messageHistory"),
      messages: [
        { id: "m1", start: first, end: second - 1 },
        { id: "m2", start: second, end },
      ],
    };
    const result = markPrompt(prompt, [part(5, 9), history]);
    expect(textOf(result)).toBe(prompt);
    expect(marked(result)).toEqual([
      "userId: anna",
      "messageHistory m1: [10:00] User: hi",
      "messageHistory: \n",
      "messageHistory m2: [10:01] Agent: hello",
    ]);
    expect(result.blocks.flat().filter(({ opensPart }) => opensPart)).toHaveLength(2);
  });

  it("marks where something is missing", () => {
    expect(marked(markPrompt("id: .", [part(4, 4, "householdId")]))).toEqual(["householdId: "]);
    expect(marked(markPrompt("", [part(0, 0, "householdId")]))).toEqual(["householdId: "]);
  });

  it("ignores invalid parts of external agents and keeps the text complete", () => {
    const result = markPrompt("abcdef", [part(0, 3), part(2, 4), part(5, 9), part(4, 2)]);
    expect(textOf(result)).toBe("abcdef");
    expect(marked(result)).toEqual(["userId: abc"]);
  });
});

describe("H6: a prompt of any length can be shown", () => {
  it("splits it after lines, so that each block is laid out separately", () => {
    const prompt = `${"one line of a prompt\n".repeat(1_000)}end`;
    const result = markPrompt(prompt, [part(100, 15_000)]);
    expect(textOf(result)).toBe(prompt);
    expect(result.blocks.length).toBeGreaterThan(3);
    for (const pieces of result.blocks.slice(0, -1)) expect(pieces.at(-1)?.text).toMatch(/\n$/);
    expect(result.blocks.flat().filter(({ opensMark }) => opensMark)).toHaveLength(1);
  });

  it("splits a very long line, but never within a character", () => {
    const prompt = `a${"🙂".repeat(20_000)}`;
    const { blocks } = markPrompt(prompt, []);
    expect(blocks.length).toBeGreaterThan(3);
    for (const [piece] of blocks) expect(piece?.text.isWellFormed()).toBe(true);
  });
});
