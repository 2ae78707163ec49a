import { expect, it } from "vitest";
import { parseWay, withWay } from "./place.ts";

it("C11: the tab is in the address; the first needs no parameter", () => {
  const params = new URLSearchParams("tab=otel");
  expect(parseWay(params)).toBe("otel");
  expect(withWay(params, "python")).toBe("?tab=python");
  expect(withWay(params, "curl")).toBe("");
  expect(parseWay(new URLSearchParams("tab=fax"))).toBe("curl");
});
