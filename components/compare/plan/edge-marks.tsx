"use client";

import { ViewportPortal } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { memo } from "react";
import { type Point, tracePath } from "@/components/graph/edge/trace.ts";
import type { Layout, PlacedNode } from "@/components/graph/layout/layout.ts";
import { route } from "@/components/graph/layout/wave-grid.ts";
import { type EdgeMark, edgeName, type MergedPlan } from "./merge-plans.ts";

interface MarkedEdge {
  name: string;
  mark: EdgeMark;
  points: readonly Point[];
  /** The graph cannot draw it, because its writer no longer has the port. */
  lost: boolean;
}

/** Marks of edges that differ: a line below the edge and a sign on it. */
export const EdgeMarks = memo(function EdgeMarks({ layout, merged }: { layout: Layout; merged: MergedPlan }) {
  const t = useTranslations("graph.iterations.kinds");
  const marked = [...drawnEdges(layout, merged), ...lostEdges(layout, merged)];
  return (
    <ViewportPortal>
      <svg className="pg-edges" width={layout.width} height={layout.height} aria-hidden="true">
        {marked.map(({ name, mark, points, lost }) => (
          <g key={name} className="cmp-edge" data-kind={mark} data-lost={lost || undefined}>
            <path className="cmp-edge-ground" d={tracePath(points)} />
            {lost && <path className="cmp-edge-line" d={tracePath(points)} />}
          </g>
        ))}
      </svg>
      {unreadPills(layout, merged).map(({ key, ...place }) => (
        <span key={key} className="cmp-unread" style={place} aria-hidden />
      ))}
      {marked.map(({ name, mark, points }) => {
        const { x, y } = middleOf(points);
        return (
          <span
            key={name}
            className="cmp-edge-sign"
            data-kind={mark}
            style={{ left: x, top: y }}
            title={t(mark)}
            aria-hidden
          >
            {SIGNS[mark]}
          </span>
        );
      })}
    </ViewportPortal>
  );
});

const SIGNS = { added: "+", changed: "~", removed: "−" } as const;

function drawnEdges({ edges }: Layout, merged: MergedPlan): MarkedEdge[] {
  return edges.flatMap(({ from, to, pill, output, points }): MarkedEdge[] => {
    const path = to.box.pills[pill]?.path ?? "";
    const mark = merged.edges.get(edgeName(from.call.id, to.call.id, path));
    return mark ? [{ name: edgeName(from.call.id, to.call.id, `${path} ${output}`), mark, points, lost: false }] : [];
  });
}

/** Strikes through reads that the second plan no longer has. */
function unreadPills({ nodes }: Layout, { unread }: MergedPlan) {
  const byCall = new Map(nodes.map((placed) => [placed.node.call.id, placed]));
  return unread.flatMap(({ call, path }) => {
    const placed = byCall.get(call);
    const pill = placed?.box.pills.find((one) => one.path === path);
    return placed && pill
      ? [{ key: `${call} ${path}`, left: placed.x, top: placed.y + pill.y, width: pill.width }]
      : [];
  });
}

/** From the writer's first output path, or its title, to the reader's input. */
function lostEdges({ nodes }: Layout, { lost }: MergedPlan): MarkedEdge[] {
  const byCall = new Map(nodes.map((placed) => [placed.node.call.id, placed]));
  return lost.flatMap(({ from, to, path }, index): MarkedEdge[] => {
    const [writer, reader] = [byCall.get(from), byCall.get(to)];
    if (!writer || !reader) return [];
    const points = route(startOf(writer), endOf(reader, path), (index % 8) * 6);
    return [{ name: edgeName(from, to, path), mark: "removed", points, lost: true }];
  });
}

function startOf({ x, y, box }: PlacedNode): Point {
  return { x: x + box.width, y: y + (box.outputs[0]?.y ?? box.top + TITLE) };
}

function endOf({ x, y, box }: PlacedNode, path: string): Point {
  return { x, y: y + (box.pills.find((pill) => pill.path === path)?.y ?? box.top + TITLE) };
}

/** From the top of a card to the middle of its title, px. */
const TITLE = 15;

/** The middle of the longest segment of a route. */
function middleOf(points: readonly Point[]): Point {
  const stretches = points.slice(1).map((end, index) => [points[index] ?? end, end] as const);
  const length = ([from, to]: readonly [Point, Point]) => Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
  const [longest] = stretches.toSorted((one, two) => length(two) - length(one));
  if (!longest) return points[0] ?? { x: 0, y: 0 };
  const [from, to] = longest;
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
}
