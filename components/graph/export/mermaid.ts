import type { ShownCallStatus } from "@/components/ui/status.ts";
import type { LinkState } from "../edge/link-state.ts";
import { wiresOf } from "../layout/layout.ts";
import type { GraphNode, PlanLevel } from "../plan-level.ts";

/** Statuses of calls and edges at the step, with their labels. */
interface MermaidLooks {
  statusOf(node: GraphNode): ShownCallStatus;
  wordOf(status: ShownCallStatus): string;
  stateOf(from: GraphNode, to: GraphNode, write: { alternative: number; target: number }): LinkState;
}

/** Styles of statuses that need attention; others keep the style of the page that renders the diagram. */
const CLASSES: ReadonlyMap<ShownCallStatus, string> = new Map([
  ["failed", "stroke:#c22f2f,stroke-width:2px"],
  ["denied", "stroke:#c22f2f,stroke-width:2px"],
  ["blocked", "stroke:#7a4a2c,stroke-width:2px"],
  ["parked", "stroke:#9a6700,stroke-width:2px"],
  ["running", "stroke:#2447d8,stroke-width:2px"],
  ["planned", "stroke-dasharray:2 3"],
  ["skipped", "stroke-dasharray:5 4"],
  ["superseded", "stroke-dasharray:5 4"],
  ["cancelled", "stroke-dasharray:5 4"],
]);

/** A plan as a Mermaid flowchart (C4); delegates with calls are subgraphs, expanded or not. */
export function writeMermaid(level: PlanLevel, looks: MermaidLooks): string {
  const names = nameNodes(level);
  const used = new Set<ShownCallStatus>();
  const body = linesOfLevel(level, { names, used, looks }, "  ");
  const classes = [...used].flatMap((status) => {
    const style = CLASSES.get(status);
    return style ? [`  classDef ${status} ${style}`] : [];
  });
  return ["flowchart LR", ...body, ...classes, ""].join("\n");
}

interface Writing {
  names: ReadonlyMap<GraphNode, string>;
  used: Set<ShownCallStatus>;
  looks: MermaidLooks;
}

function linesOfLevel(level: PlanLevel, writing: Writing, indent: string): string[] {
  const { names, looks } = writing;
  const { nodes, links } = level.whole ?? level;
  const lines = nodes.flatMap((node) => linesOfNode(node, writing, indent));
  if (level.recorded) {
    const order = nodes.map((node) => names.get(node)).join(" --> ");
    return nodes.length > 1 ? [...lines, `${indent}${order}`] : lines;
  }
  const byCall = new Map(nodes.map((node) => [node.call.id, node]));
  for (const { link, pill } of wiresOf(nodes, links)) {
    const from = byCall.get(link.from);
    const to = byCall.get(link.to);
    const read = to?.box.pills[pill];
    if (!from || !to || !read) continue;
    const arrow = arrowOf(looks.stateOf(from, to, link.write), read.fallback);
    lines.push(`${indent}${names.get(from)} ${arrow}|"${escapeMermaid(read.path)}"| ${names.get(to)}`);
  }
  return lines;
}

function linesOfNode(node: GraphNode, writing: Writing, indent: string): string[] {
  const { names, used, looks } = writing;
  const name = names.get(node) ?? "";
  const status = looks.statusOf(node);
  const label = `"${escapeMermaid(labelOf(node, looks.wordOf(status)))}"`;
  const isStyled = CLASSES.has(status);
  if (isStyled) used.add(status);
  if (!node.frame) return [`${indent}${name}[${label}]${isStyled ? `:::${status}` : ""}`];
  return [
    `${indent}subgraph ${name}[${label}]`,
    `${indent}  direction LR`,
    ...linesOfLevel(node.frame, writing, `${indent}  `),
    `${indent}end`,
    ...(isStyled ? [`${indent}class ${name} ${status}`] : []),
  ];
}

/** The tool, the call's id if it differs, and the status. */
function labelOf({ call: { tool, id } }: GraphNode, word: string): string {
  return [tool, id === tool ? null : id, word].filter((part) => part !== null).join(" · ");
}

function arrowOf(state: LinkState, isFallback: boolean): string {
  return isFallback || state === "off" || state === "cut" ? "-.->" : "-->";
}

/** Generated node ids, because call ids may be keywords such as `end`. */
function nameNodes(level: PlanLevel, names = new Map<GraphNode, string>()): Map<GraphNode, string> {
  for (const node of (level.whole ?? level).nodes) {
    names.set(node, `n${names.size + 1}`);
    if (node.frame) nameNodes(node.frame, names);
  }
  return names;
}

/** A quoted label: syntax of Mermaid, HTML and Markdown is escaped. */
export function escapeMermaid(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replace(/[#&<>"'`\\*_~[\]{}|;%]/g, (mark) => `#${mark.codePointAt(0)};`)
    .trim();
}
