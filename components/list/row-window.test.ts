import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HEAD_HEIGHT, ROW_HEIGHT, rowsToDraw, scrollTopFor, viewOf } from "./row-window.ts";

const box = fc.record({ scrollTop: fc.nat(2_000_000), clientHeight: fc.integer({ min: 0, max: 3_000 }) });
const count = fc.nat(50_000);

describe("C1: only visible rows are rendered", () => {
  it("renders every visible row once, in order, and few others", () => {
    fc.assert(
      fc.property(box, count, fc.integer({ min: -1, max: 50_000 }), (at, total, kept) => {
        const drawn = rowsToDraw(viewOf(at), total, kept);
        expect(drawn).toEqual([...new Set(drawn)].sort((a, b) => a - b));
        expect(drawn.every((index) => index >= 0 && index < total)).toBe(true);
        expect(drawn.length).toBeLessThanOrEqual(Math.ceil(at.clientHeight / ROW_HEIGHT) * 2 + 21);
        const first = Math.floor(at.scrollTop / ROW_HEIGHT);
        const last = Math.floor((at.scrollTop + at.clientHeight - HEAD_HEIGHT - 1) / ROW_HEIGHT);
        for (let index = first; index <= Math.min(last, total - 1); index += 1) expect(drawn).toContain(index);
      }),
    );
  });

  it("keeps the focused row, wherever the viewport is", () => {
    fc.assert(
      fc.property(box, count, fc.nat(50_000), (at, total, kept) => {
        fc.pre(kept < total);
        expect(rowsToDraw(viewOf(at), total, kept)).toContain(kept);
      }),
    );
  });
});

describe("C1: the focused row is scrolled into view", () => {
  const height = 10 * ROW_HEIGHT + HEAD_HEIGHT;

  it("scrolls as little as possible", () => {
    expect(scrollTopFor(3, { scrollTop: 440, clientHeight: height })).toBe(3 * ROW_HEIGHT);
    expect(scrollTopFor(12, { scrollTop: 0, clientHeight: height })).toBe(3 * ROW_HEIGHT);
  });

  it("does not scroll for a visible row", () => {
    expect(scrollTopFor(12, { scrollTop: 300, clientHeight: height })).toBe(300);
  });
});
