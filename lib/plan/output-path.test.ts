import { describe, expect, test } from "vitest";
import { parseOutputPath, parsePath } from "./output-path.ts";

const target = (...path: string[]) => ({ kind: "state", path });

describe("output paths", () => {
  test("P9: one path, the whole state too", () => {
    expect(parseOutputPath("†state.order.total")).toEqual({ ok: true, value: [[target("order", "total")]] });
    expect(parseOutputPath("†state")).toEqual({ ok: true, value: [[target()]] });
    expect(parsePath('†state["0"]')).toEqual({ ok: true, value: target("0") });
  });

  test("P9: only state can be written, and no array position", () => {
    expect(parseOutputPath("†state.a || †input.x")).toMatchObject({
      ok: false,
      error: { position: 12, message: expect.stringContaining("†input") },
    });
    expect(parseOutputPath("†state.a[0]")).toMatchObject({
      ok: false,
      error: { position: 0, message: expect.stringContaining("[0]") },
    });
    expect(parsePath("†state.a.0")).toMatchObject({ ok: false });
    expect(parsePath("†state.a || †state.b")).toMatchObject({ ok: false });
  });

  test("P10, P11: alternatives of fan-outs", () => {
    expect(parseOutputPath("†state.a && †state.b || †state.error")).toEqual({
      ok: true,
      value: [[target("a"), target("b")], [target("error")]],
    });
  });
});
