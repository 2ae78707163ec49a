import { describe, expect, it } from "vitest";
import { progressLine } from "./import-progress.ts";

const FAR = { bytes: 12_345_678, conversations: 1_204, events: 55_000, stored: 40_000 };

describe("E14: an import shows its progress on the terminal", () => {
  it.each([
    ["reading", "chats.jsonl: 12.3 of 80.0 MB read, 1,204 conversations"],
    ["waiting", "chats.jsonl: 1,204 conversations read, waiting for another import"],
    ["storing", "chats.jsonl: 40,000 of 55,000 events stored, 1,204 conversations"],
  ] as const)("%s", (phase, line) => {
    expect(progressLine("chats.jsonl", 80_000_000, { phase, ...FAR })).toBe(line);
  });
});
