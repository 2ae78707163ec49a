import type { PlanEdge } from "../../session/session.ts";
import type { PlanCall } from "../call.ts";
import { joinLinks } from "../graph.ts";
import { findLinks, type Link } from "../links.ts";
import { type LocalizedText, localized } from "../localized-text.ts";
import { overlaps } from "../overlap.ts";
import { type PlanProblem, pointerTo } from "../problem.ts";
import { printReference } from "../reference.ts";
import { type CallEdge, findCycles } from "../schedule/cycles.ts";
import type { Prepared } from "../schedule/prepare.ts";

/** The most names in one sentence. */
const MOST_NAMES = 10;

/** Finds calls that wait for one another (P17), and conflicting writers (P12, P16). */
export function checkOrder(prepared: Prepared): { problems: PlanProblem[]; edges: PlanEdge[] } {
  const { calls, links } = prepared;
  const edges = joinLinks(calls, links);
  const ids = calls.map(({ id }) => id);
  const cycles = findCycles(ids, edges);
  return {
    problems: [
      ...calls.flatMap(selfReads),
      ...cycles.map((cycle) => cycleProblem(cycle, edges)),
      ...checkWriters(prepared, edges, new Set(cycles.flat())),
    ],
    edges,
  };
}

/** A call that reads what it writes waits for itself. */
function selfReads(call: PlanCall): PlanProblem[] {
  const targets = call.output?.flat() ?? [];
  const isSelfRead = call.reads.some(({ expression }) =>
    expression.some((gate) => gate.some((reference) => targets.some((target) => overlaps(target, reference)))),
  );
  if (!isSelfRead) return [];
  const links = findLinks([
    { ...call, id: "writer", reads: [] },
    { ...call, id: "reader", output: null },
  ]);
  const seen = new Set<number>();
  return links.flatMap((link) => {
    if (seen.has(link.read.read)) return [];
    seen.add(link.read.read);
    return [
      {
        code: "cycle",
        severity: "error",
        call: call.id,
        path: pointerTo(call.reads[link.read.read]?.parameter ?? []),
        ...localized(
          "self_read",
        )`${call.id} reads ${readOf(call, link)}, which it writes itself, so it would wait for itself; read or write another path`,
      },
    ];
  });
}

function readOf(call: PlanCall, { read }: Link): string {
  const reference = call.reads[read.read]?.expression[read.alternative]?.[read.member];
  return reference ? printReference(reference) : "";
}

function cycleProblem(cycle: readonly string[], edges: readonly PlanEdge[]): PlanProblem {
  const [first = ""] = cycle;
  const paths = edgesOf(cycle, edges).map(({ paths: [path] }) => path);
  return {
    code: "cycle",
    severity: "error",
    call: first,
    path: "",
    ...localized(
      "cycle",
    )`These calls wait for each other: ${[...cycle, first].join(" → ")} (through ${[...new Set(paths)].join(", ")}); let one of them read another path, or move the loop into a delegate`,
  };
}

/** The edges along a cycle, in its order. */
function edgesOf<E extends CallEdge>(cycle: readonly string[], edges: readonly E[]): E[] {
  const next = new Map(cycle.map((id, index) => [id, cycle[(index + 1) % cycle.length]]));
  const found = new Map<string, E>();
  for (const edge of edges) if (next.get(edge.from) === edge.to && !found.has(edge.from)) found.set(edge.from, edge);
  return cycle.flatMap((id) => found.get(id) ?? []);
}

function checkWriters(
  { calls, order }: Prepared,
  edges: readonly PlanEdge[],
  inCycles: ReadonlySet<string>,
): PlanProblem[] {
  if (order.length === 0) return [];
  const ids = calls.flatMap(({ id }) => (inCycles.has(id) ? [] : [id]));
  // Written here before there, read there before here.
  const wrongWay = findCycles(ids, [...edges, ...order]).flatMap((cycle) => {
    const byData = new Set(edgesOf(cycle, edges).map(({ from }) => from));
    const [forced] = edgesOf(cycle, order).filter(({ from }) => !byData.has(from));
    return forced ? [{ ...forced, cycle }] : [];
  });
  const told = new Set(wrongWay.map(({ from, to }) => `${from}\u0000${to}`));
  const paths = new Map<string, Set<string>>();
  for (const { from, to, path } of order) {
    if (told.has(`${from}\u0000${to}`)) continue;
    paths.set(path, (paths.get(path) ?? new Set()).add(from).add(to));
  }
  return [
    ...wrongWay.map(({ from, to, path, cycle }): PlanProblem => {
      const way = [...cycle, cycle[0]].join(" → ");
      return writerProblem(
        "error",
        to,
        localized(
          "write_order",
        )`${from} must write ${path}, or a path above it, before ${to} does, but it waits for ${to} (${way}); write different paths, or change their order in the plan`,
      );
    }),
    ...[...paths].map(([path, names]) => {
      const [, second = ""] = names;
      return writerProblem(
        "warning",
        second,
        localized(
          "same_path",
        )`${listed([...names])} may write the same path, ${path}: they run one after another, and only the first write counts; write different paths to keep all results`,
      );
    }),
  ];
}

function writerProblem(severity: PlanProblem["severity"], call: string, text: LocalizedText): PlanProblem {
  return { code: "write_conflict", severity, call, path: "/_outputPath", ...text };
}

function listed(names: readonly string[]): LocalizedText {
  const shown = names.slice(0, MOST_NAMES);
  const rest = names.length - shown.length;
  if (rest > 0) return localized("and_more")`${shown.join(", ")} and ${rest} more`;
  return localized("and")`${shown.slice(0, -1).join(", ")} and ${shown.at(-1) ?? ""}`;
}
