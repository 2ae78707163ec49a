import { describe, expect, it } from "vitest";
import { carriedOut, document, happened } from "../testing/documents.ts";

const goal = (method: "add" | "close", goal: string) => carriedOut(`memory.goals.${method}`, { goal }, null, "none");

describe("goals", () => {
  it("M4: a new goal is first", () => {
    expect(happened(goal("add", "Создать сделку"), goal("add", " Назначить звонок ")).goals).toEqual([
      "Назначить звонок",
      "Создать сделку",
    ]);
  });

  it("M4: an existing goal is moved to the front", () => {
    const { goals } = happened(goal("add", "a"), goal("add", "b"), goal("add", "a "));
    expect(goals).toEqual(["a", "b"]);
  });

  it("M4: a closed goal is removed; an empty or unknown one changes nothing", () => {
    expect(happened(goal("add", "a"), goal("add", "b"), goal("close", " a")).goals).toEqual(["b"]);
    expect(happened(goal("add", "a"), goal("add", "  "), goal("close", "c")).goals).toEqual(["a"]);
  });

  it("M4: setting a goal adds no done entry", () => {
    expect(happened(goal("add", "a"))).toEqual(document({ goals: ["a"] }));
  });
});
