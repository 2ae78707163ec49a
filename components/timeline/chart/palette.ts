import type { EventKind } from "@/lib/session/events/kinds.ts";

/** Colors and fonts of the canvas, from the tokens of the current theme. */
export interface Palette {
  kinds: Record<EventKind, string>;
  canvas: string;
  fg: string;
  fg2: string;
  fg3: string;
  line: string;
  lineStrong: string;
  lineControl: string;
  barFg: string;
  waiting: string;
  accent: string;
  /** Font families, for a canvas `font`. */
  ui: string;
}

/** Reads the tokens of an element. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    kinds: {
      message: token("--k-message"),
      run: token("--k-run"),
      model: token("--k-model"),
      tool: token("--k-tool"),
      state: token("--k-state"),
      approval: token("--k-approval"),
      memory: token("--k-memory"),
      error: token("--k-error"),
    },
    canvas: token("--canvas"),
    fg: token("--fg"),
    fg2: token("--fg-2"),
    fg3: token("--fg-3"),
    line: token("--line"),
    lineStrong: token("--line-strong"),
    lineControl: token("--line-control"),
    barFg: token("--bar-fg"),
    waiting: token("--st-waiting"),
    accent: token("--accent"),
    ui: style.fontFamily,
  };
}
