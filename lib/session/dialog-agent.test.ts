import { expect, it } from "vitest";
import { dialogAgent } from "./dialog-agent.ts";
import { identifier } from "./events/catalogue.ts";

it("D2: a conversation's dialog is stored under its id, shortened if it is too long", () => {
  expect(dialogAgent("c1")).toBe("dialog:c1");
  const long = "c".repeat(199);
  const [one, other] = [dialogAgent(`${long}1`), dialogAgent(`${long}2`)];
  expect(identifier.safeParse(one).success).toBe(true);
  expect(one).not.toBe(other);
  expect(dialogAgent(`${long}1`)).toBe(one);
});
