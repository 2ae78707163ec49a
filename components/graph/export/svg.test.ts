import { describe, expect, test } from "vitest";
import { wiresOf } from "../layout/layout.ts";
import { layOutWaves } from "../layout/wave-grid.ts";
import { layeredPlan, levelOf } from "../testing.ts";
import { escapeXml } from "./markup.ts";
import { writeText } from "./pen.ts";
import { scaleOf } from "./png.ts";
import { type Picture, sizeOf, writeSvg } from "./svg.ts";

const PICTURE: Picture = {
  title: "Plan & <more>",
  palette: (token) => `#${token}`,
  measure: (text, { size }) => text.length * size * 0.5,
  stateOf: () => "idle",
  headingOf: ({ number }) => `wave ${number}`,
  gateOf: (count) => (count === 2 ? "both" : `all ${count}`),
  wordsOf: ({ node }) => ({
    status: "planned",
    done: null,
    lines: [{ name: "amount", value: node.call.id }],
    note: null,
    time: null,
  }),
};

function draw(plan = layeredPlan(12, 4)): string {
  const { nodes, links } = levelOf(plan);
  return writeSvg(layOutWaves(nodes, wiresOf(nodes, links)), PICTURE);
}

const countOf = (text: string, part: string) => text.split(part).length - 1;

describe("C4: a plan as SVG", () => {
  test("C4: contains every call and edge at full size, with inputs and outputs", () => {
    const { nodes, links } = levelOf(layeredPlan(12, 4));
    const layout = layOutWaves(nodes, wiresOf(nodes, links));
    const svg = draw();
    const { width, height } = sizeOf(layout);
    expect(svg.startsWith(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`)).toBe(true);
    for (const { call } of nodes) expect(svg).toContain(`>${call.id}</text>`);
    expect(countOf(svg, 'stroke="#edge-idle" stroke-width="1.5"/>')).toBe(layout.edges.length + nodes.length);
    expect(countOf(svg, ">†state.v3</text>")).toBe(5);
    expect(countOf(svg, ">†state.v11</text>")).toBe(1);
    expect(svg).toContain(">wave 3</text>");
  });

  test("C4: texts are escaped, and contain no characters that XML does not allow", () => {
    const svg = draw([{ _tool: '</text><script>"&', _id: "a\u0001b" }]);
    expect(svg).not.toContain("<script>");
    expect(svg).toContain("&#60;/text&#62;&#60;script&#62;&#34;&#38;");
    expect(svg).toContain("<title>Plan &#38; &#60;more&#62;</title>");
    expect(escapeXml("a\u0001\uD800b")).toBe("ab");
  });

  test("C4: a long text is truncated, with its width set", () => {
    const type = { size: 10, fill: "black" };
    expect(writeText("abcdefghij", 0, 0, 25, type, PICTURE.measure)).toContain('textLength="25"');
    expect(writeText("abcdefghij", 0, 0, 25, type, PICTURE.measure)).toContain(">abcd…</text>");
    expect(writeText("abcdefghij", 0, 0, 0, type, PICTURE.measure)).toBe("");
  });

  test("C4: a path keeps its kind and its end", () => {
    const type = { size: 10, fill: "black", cutAt: "start" } as const;
    const cut = writeText("†state.deal.amount", 0, 0, 70, type, PICTURE.measure);
    expect(cut).toContain(">†state….amount</text>");
    expect(writeText("†state.deal", 0, 0, 70, type, PICTURE.measure)).toContain(">†state.deal</text>");
  });

  test("C4: a PNG has scale 2, or the largest that browsers allow", () => {
    expect(scaleOf(1_000, 500)).toBe(2);
    expect(scaleOf(32_000, 500)).toBe(0.5);
    const scale = scaleOf(15_000, 15_000);
    expect((15_000 * scale) ** 2).toBeLessThanOrEqual(120_000_001);
  });
});
