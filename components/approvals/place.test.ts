import { expect, test } from "vitest";
import { parsePlace, withPlace } from "./place.ts";

const read = (query: string) => parsePlace(new URLSearchParams(query));

test("C7: the tab and the selection come back from the address they are written to", () => {
  for (const place of [
    { status: "requested", selected: null },
    { status: "approved", selected: "a b/ü" },
  ] as const) {
    expect(read(withPlace(new URLSearchParams(), place))).toEqual(place);
  }
});

test("C7: an address that means nothing is the inbox, and what else it says stays", () => {
  expect(read("status=maybe&selected=")).toEqual({ status: "requested", selected: null });
  const query = withPlace(new URLSearchParams("theme=dark&status=denied"), { status: "requested", selected: null });
  expect(query).toBe("?theme=dark");
});
