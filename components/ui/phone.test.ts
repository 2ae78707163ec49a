import { expect, test } from "vitest";
import { expectPhone } from "./phone.ts";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
const DESKTOP = "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

test("a phone is expected by what the browser says, and by its last window where there was one", () => {
  expect(expectPhone(new Headers({ "user-agent": IPHONE }), undefined)).toBe(true);
  expect(expectPhone(new Headers({ "user-agent": DESKTOP, "sec-ch-ua-mobile": "?1" }), undefined)).toBe(true);
  expect(expectPhone(new Headers({ "user-agent": DESKTOP, "sec-ch-ua-mobile": "?0" }), undefined)).toBe(false);
  expect(expectPhone(new Headers({ "user-agent": DESKTOP }), "1")).toBe(true);
  expect(expectPhone(new Headers({ "user-agent": IPHONE }), "0")).toBe(false);
  expect(expectPhone(new Headers(), undefined)).toBe(false);
});
