import { describe, expect, it } from "vitest";
import { pageWithin, withinRoom } from "./answer.ts";
import { sizeOf } from "./cut.ts";

const item = (n: number, length: number) => ({ seq: n, text: "x".repeat(length) });

/** Pages of items of this length, and the requests. */
function list(total: number, length: number) {
  const asked: number[] = [];
  return {
    asked,
    ask: async (limit: number) => {
      asked.push(limit);
      const shown = Math.min(limit, total);
      const items = Array.from({ length: shown }, (_, n) => item(n + 1, length));
      return { items, next: shown < total ? String(shown) : null };
    },
  };
}

describe("a page has as many items as fit", () => {
  it("all of them where they fit", async () => {
    const { ask, asked } = list(10, 100);
    expect((await pageWithin(ask, 50, 10_000)).items).toHaveLength(10);
    expect(asked).toEqual([50]);
  });

  it("fewer if even shortened ones do not fit, and `next` continues after the last of them", async () => {
    const { ask } = list(200, 5_000);
    const page = await pageWithin(ask, 200, 8_000);
    expect(page.items).toHaveLength(10);
    expect(page.next).toBe("10");
  });

  it("at least one", async () => {
    const { ask } = list(3, 100_000);
    expect((await pageWithin(ask, 3, 500)).items).toHaveLength(1);
  });
});

describe("results fit", () => {
  it("no item of a page is left out, each is shortened to its share, and cuts are listed", () => {
    const items = Array.from({ length: 10 }, (_, n) => item(n, 5_000));
    const told = withinRoom({ facts: { next: "10" }, items, room: 10_000, more: "Ask for less." });
    expect(told).toMatchObject({
      next: "10",
      items: items.map(({ seq }) => ({ seq })),
      cut: { count: 10, more: "Ask for less." },
    });
    expect(told).toHaveProperty("cut.places.3", { path: "/items/3/text", shown: 800, of: 5_000, unit: "characters" });
    expect(sizeOf(told)).toBeLessThan(10_000 + 2_000);
  });

  it("without cuts none are listed", () => {
    expect(withinRoom({ facts: { a: 1 }, room: 2_000, more: "" })).toEqual({ a: 1 });
  });
});
