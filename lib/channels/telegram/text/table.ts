import type { Node } from "./markdown.ts";

/** Padding would turn a message into many: tables wider than a screen are not read by columns anyway. */
const MOST_FILLED = 4_000;

/** A table in monospace, since Telegram has no tables: one line per row, with aligned columns. */
export function tableLines({ children }: Extract<Node, { type: "table" }>): string {
  const rows = children.map((row) => row.children.map(wordsOf));
  const widths = widthsOf(rows);
  const size = rows.length * widths.reduce((sum, width) => sum + width + 3, 0);
  if (size > MOST_FILLED) return rows.map((row) => row.join(" │ ")).join("\n");
  const line = (row: string[]) => widths.map((width, column) => fill(row[column] ?? "", width)).join(" │ ");
  const [head = [], ...body] = rows;
  const rule = widths.map((width) => "─".repeat(width)).join("─┼─");
  return [line(head), rule, ...body.map(line)].map((each) => each.trimEnd()).join("\n");
}

/** The text of a node and its descendants. */
export function wordsOf(node: object): string {
  if ("value" in node && typeof node.value === "string") return node.value;
  return "children" in node && Array.isArray(node.children) ? node.children.map(wordsOf).join("") : "";
}

/** The maximum cell length of each column. */
function widthsOf(rows: string[][]): number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, [...cell].length);
  return widths;
}

function fill(text: string, width: number): string {
  return text + " ".repeat(width - [...text].length);
}
