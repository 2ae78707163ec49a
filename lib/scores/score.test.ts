import { describe, expect, it } from "vitest";
import { parseScoreFilter, printScoreFilter, summarizeScores } from "./score.ts";

describe("the filter by scores", () => {
  it.each(["rating", "rating<3", "rating>=4.5", "thumbs=false", "topic=refund, partial"])("reads %s", (text) => {
    const filter = parseScoreFilter(text);
    expect(filter && printScoreFilter(filter)).toBe(text);
  });

  it.each(["", "<3", "rating<", "rating<good", "rating==3=", "x".repeat(101)])("refuses %j", (text) => {
    const filter = parseScoreFilter(text);
    expect(filter === null || filter.is?.value === "=3=").toBe(true);
  });
});

describe("the summary of scores", () => {
  it("has the average, the share of yes, or the newest category of each name", () => {
    const scores = [
      { name: "topic", value: "refund" },
      { name: "topic", value: "order" },
      { name: "rating", value: 2 },
      { name: "rating", value: 5 },
      { name: "rating", value: "odd" },
      { name: "thumbs", value: true },
      { name: "thumbs", value: false },
    ];
    expect(summarizeScores(scores)).toEqual([
      { name: "rating", kind: "number", count: 2, value: 3.5 },
      { name: "thumbs", kind: "boolean", count: 2, value: 0.5 },
      { name: "topic", kind: "category", count: 2, value: "refund" },
    ]);
  });
});
