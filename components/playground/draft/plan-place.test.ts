import { expect, test } from "vitest";
import { parsePlace, printPlace, withoutPlace } from "./plan-place.ts";

test("an address of a session's plan is read back, and the selection stays when the plan is open", () => {
  const place = { conversation: "a b", run: "run-1", iteration: 2 };
  const search = printPlace(place).slice("/plans".length);
  expect(parsePlace(search)).toEqual(place);
  expect(withoutPlace(`${search}&call=order&tab=call`)).toBe("?call=order&tab=call");
  expect(withoutPlace(search)).toBe("");
});
