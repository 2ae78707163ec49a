"use client";

import { useTranslations } from "next-intl";
import { shorten, tracePath } from "@/components/graph/edge/trace.ts";
import type { Run } from "@/lib/session/session.ts";
import type { PlacedWay, StageLayout } from "./stage-layout.ts";
import { edgeState, type Visit } from "./turn-path.ts";
import { useStageNames } from "./use-stage-names.ts";

/** The length of an arrowhead, and the gap before the node. */
const TIP = 7;
const AT_NODE = 2;
/** Half of the diamond of a conditional edge. */
const CHOICE = 4.5;

interface StageEdgesProps {
  layout: StageLayout;
  run: Run;
  way: readonly Visit[];
}

/** The edges of the main graph, taken ones dark, with labels; also as a list for screen readers. */
export function StageEdges({ layout, run, way }: StageEdgesProps) {
  const t = useTranslations("stages");
  const names = useStageNames();
  const drawn = layout.ways
    .map((one) => ({ ...one, state: edgeState(run, way, one.edge) }))
    .sort((a, b) => startOf(a) - startOf(b));
  // Taken edges are drawn above the others.
  const inOrder = [...drawn.filter(({ state }) => state !== "done"), ...drawn.filter(({ state }) => state === "done")];
  return (
    <>
      <svg width={layout.width} height={layout.height} aria-hidden="true">
        {inOrder.map((one) => (
          <Edge key={`${one.edge.from} ${one.edge.to}`} {...one} />
        ))}
      </svg>
      {drawn.map(
        ({ edge, label, state }) =>
          edge.label !== null && (
            <span
              key={`${edge.from} ${edge.to}`}
              aria-hidden
              className="sg-label"
              data-state={state}
              style={{ left: label.x, top: label.y }}
            >
              {edge.label}
            </span>
          ),
      )}
      <ul aria-label={t("edges")} className="sr-only">
        {drawn.map(({ edge, state }) => (
          <li key={`${edge.from} ${edge.to}`}>
            {t("edge", { from: names.node(edge.from), to: names.node(edge.to) })}
            {edge.conditional && `, ${edge.label === null ? t("choice") : t("choiceOf", { label: edge.label })}`}
            {state === "done" && `, ${t("taken")}`}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Where an edge starts. */
function startOf({ points }: PlacedWay): number {
  return points[0]?.y ?? 0;
}

function Edge({ edge, points, state }: PlacedWay & { state: "done" | "idle" | "off" }) {
  const ended = shorten(points, AT_NODE);
  const [start, end] = [ended[0], ended.at(-1)];
  if (!start || !end) return null;
  return (
    <g className="pg-trace sg-edge" data-state={state} data-conditional={edge.conditional || undefined}>
      <path className="pg-line-path" d={tracePath(shorten(ended, TIP - 1))} />
      <path className="pg-tip" d={`M${end.x} ${end.y}l-3.6 -${TIP}h7.2z`} />
      {edge.conditional && (
        <path
          className="sg-choice"
          d={`M${start.x} ${start.y}l${CHOICE} ${CHOICE}-${CHOICE} ${CHOICE}-${CHOICE}-${CHOICE}z`}
        />
      )}
    </g>
  );
}
