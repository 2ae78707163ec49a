import { describe, expect, it } from "vitest";
import { findPlaceholder } from "./find-placeholder.ts";

describe("H6: a warning leads to its place in the template", () => {
  const template = "{{userId}} and {{ userId | nobody }}, not userId or {{userIds}}";

  it("to one after another, and from the last to the first", () => {
    const first = findPlaceholder(template, "userId", 0);
    expect(first).toEqual({ start: 0, end: 10 });
    const second = findPlaceholder(template, "userId", 10);
    expect(second && template.slice(second.start, second.end)).toBe("{{ userId | nobody }}");
    expect(findPlaceholder(template, "userId", second?.end ?? 0)).toEqual(first);
  });

  it("to the exact path", () => {
    const paths = '{{state}} {{state.order.id}} {{state.order["id"]}}';
    expect(findPlaceholder(paths, "state.order.id", 0)).toEqual({ start: 10, end: 28 });
    expect(findPlaceholder(paths, "memory", 0)).toBeNull();
  });
});
