import { expect, it } from "vitest";
import { parseFramework, parseWay, withFramework, withWay } from "./place.ts";

it("C11: the tab is in the address; the first needs no parameter", () => {
  const params = new URLSearchParams("tab=otel");
  expect(parseWay(params)).toBe("otel");
  expect(withWay(params, "python")).toBe("?tab=python");
  expect(withWay(params, "curl")).toBe("");
  expect(parseWay(new URLSearchParams("tab=fax"))).toBe("curl");
});

it("C11: the framework is in the address beside its tab, and leaves with it", () => {
  const all = ["otel-js", "otel-mastra"] as const;
  const params = new URLSearchParams(withFramework(new URLSearchParams("tab=otel"), "otel-mastra"));
  expect(String(params)).toBe("tab=otel&framework=mastra");
  expect(parseFramework(params, all)).toBe("otel-mastra");
  expect(parseFramework(new URLSearchParams("framework=fax"), all)).toBe("otel-js");
  expect(withWay(params, "python")).toBe("?tab=python");
});
