import { expect, it } from "vitest";
import { identifier } from "./catalogue.ts";
import { dialogAgent } from "./dialog-agent.ts";

it("D2: a conversation's dialog is kept under its id, and under one of its own that fits where the id is too long", () => {
  expect(dialogAgent("c1")).toBe("dialog:c1");
  const long = "c".repeat(199);
  const [one, other] = [dialogAgent(`${long}1`), dialogAgent(`${long}2`)];
  expect(identifier.safeParse(one).success).toBe(true);
  expect(one).not.toBe(other);
  expect(dialogAgent(`${long}1`)).toBe(one);
});
