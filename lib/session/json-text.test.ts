import { expect, test } from "vitest";
import { readJson } from "./json-text.ts";

test("a text with so many values that reading it would take long is not read, and commas in texts are none", () => {
  const flawOf = (text: string) => {
    const read = readJson(text, 64, "as_written");
    return read.ok ? null : read.flaw.message;
  };
  expect(flawOf(`[${"[],".repeat(300_000)}1]`)).toBe("this has more than 300000 values");
  expect(flawOf(`[${"1,".repeat(290_000)}"${",".repeat(300_000)}\\","]`)).toBeNull();
});
