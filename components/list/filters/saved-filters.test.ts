import { describe, expect, it } from "vitest";
import { isSameQuery, parseSaved, renamed, withSaved } from "./saved-filters.ts";

const failed = { name: "Failed", query: "?status=failed" };
const fax = { name: "Fax", query: "?channel=fax" };

describe("C1: saved filters", () => {
  it("survive a round trip through storage, and invalid entries are ignored", () => {
    expect(parseSaved(JSON.stringify([failed, { name: 1 }, "x", { name: "y", query: "javascript:" }, null]))).toEqual([
      failed,
    ]);
    for (const text of [null, "", "{", "null", "{}"]) expect(parseSaved(text)).toEqual([]);
  });

  it("have unique names: saving again replaces the filter", () => {
    expect(withSaved([failed], fax)).toEqual([failed, fax]);
    expect(withSaved([failed, fax], { name: " Failed ", query: "?q=x" })).toEqual([
      { name: "Failed", query: "?q=x" },
      fax,
    ]);
    expect(withSaved([failed], { name: "  ", query: "?q=x" })).toEqual([failed]);
  });

  it("are renamed in place, but not to an existing or empty name", () => {
    expect(renamed([failed, fax], "Failed", "Broken")).toEqual([{ ...failed, name: "Broken" }, fax]);
    expect(renamed([failed, fax], "Failed", "Fax")).toEqual([failed, fax]);
    expect(renamed([failed], "Failed", " ")).toEqual([failed]);
  });

  it("are compared by their values, not by the order of parameters", () => {
    expect(isSameQuery("?a=1&b=2", "?b=2&a=1")).toBe(true);
    expect(isSameQuery("?a=1", "?a=2")).toBe(false);
  });
});
