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
  /** The graph does not draw it: its writer has no port for it any more. */
  lost: boolean;
}

/** What differs between two plans' edges, under their lines; the sign of each stands on it. */
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

/** Lines through the pills of what is not read any more. */
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

/** From the writer's first path, or its title, to where the reader reads it. */
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

/** The middle of a card's title, from the card's top. */
const TITLE = 15;

/** The middle of the longest stretch of a way. */
function middleOf(points: readonly Point[]): Point {
  const stretches = points.slice(1).map((end, index) => [points[index] ?? end, end] as const);
  const length = ([from, to]: readonly [Point, Point]) => Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
  const [longest] = stretches.toSorted((one, two) => length(two) - length(one));
  if (!longest) return points[0] ?? { x: 0, y: 0 };
  const [from, to] = longest;
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
}
