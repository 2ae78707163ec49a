import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

test("C1: a preview says what Markdown says, without its marks", () => {
  expect(plainText("**Inês Duarte**, see [the order](https://example.org/1) `A-17`")).toBe(
    "Inês Duarte, see the order A-17",
  );
  expect(plainText("# Summary\n- one")).toBe("Summary\none");
});

test("C1: what only looks like a mark stays, and a mark that was cut off too", () => {
  expect(plainText("2 * 3 ** 4, snake__case, #17 and - 5 °C")).toBe("2 * 3 ** 4, snake__case, #17 and - 5 °C");
  expect(plainText("1. **North")).toBe("1. **North");
});
