import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

test("C1: a preview has the text of Markdown without its syntax", () => {
  expect(plainText("**Inês Duarte**, see [the order](https://example.org/1) `A-17`")).toBe(
    "Inês Duarte, see the order A-17",
  );
  expect(plainText("# Summary\n- one")).toBe("Summary\none");
});

test("C1: text that only looks like syntax is kept, and so is syntax that was cut off", () => {
  expect(plainText("2 * 3 ** 4, snake__case, #17 and - 5 °C")).toBe("2 * 3 ** 4, snake__case, #17 and - 5 °C");
  expect(plainText("1. **North")).toBe("1. **North");
});
