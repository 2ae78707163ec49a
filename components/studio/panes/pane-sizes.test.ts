import { describe, expect, it } from "vitest";
import { DEFAULT_SIZES, readSizes, writeSizes } from "./pane-sizes.ts";

const storing = (text: string | null) => ({ getItem: () => text });

describe("C2: pane sizes are kept", () => {
  it("reads stored sizes by window width", () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => stored.set(key, text),
    };
    writeSizes(storage, "wide", { thread: 400, inspector: 420, timeline: 300 });
    expect(readSizes(storage, "wide")).toEqual({ thread: 400, inspector: 420, timeline: 300 });
    expect(readSizes(storage, "narrow")).toEqual(DEFAULT_SIZES.narrow);
  });

  it("uses the defaults for invalid sizes", () => {
    for (const text of [null, "{", "[]", "null", '{"thread":"wide","inspector":2,"timeline":1e9}']) {
      expect(readSizes(storing(text), "wide")).toEqual(DEFAULT_SIZES.wide);
    }
  });
});
