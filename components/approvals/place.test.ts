import { expect, test } from "vitest";
import { parsePlace, withPlace } from "./place.ts";

const read = (query: string) => parsePlace(new URLSearchParams(query));

test("C7: tab and selection survive a round trip through the address", () => {
  for (const place of [
    { status: "requested", selected: null },
    { status: "approved", selected: "a b/ü" },
  ] as const) {
    expect(read(withPlace(new URLSearchParams(), place))).toEqual(place);
  }
});

test("C7: invalid parameters mean the first tab, and other parameters are kept", () => {
  expect(read("status=maybe&selected=")).toEqual({ status: "requested", selected: null });
  const query = withPlace(new URLSearchParams("theme=dark&status=denied"), { status: "requested", selected: null });
  expect(query).toBe("?theme=dark");
});
