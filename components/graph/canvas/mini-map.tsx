"use client";

import { useReactFlow, useStore } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { memo, type PointerEvent, useMemo } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import { STATUS, shownStatus } from "@/components/ui/status.ts";
import { statusOfNode } from "../find-in-session.ts";
import type { Layout, PlacedNode } from "../layout/layout.ts";

const WIDTH = 142;
const HEIGHT = 119;
const PADDING = 6;

/** Above this number, calls are drawn as one shape: a status would be smaller than a pixel. */
const WITH_STATUS = 400;

/** An overview of the plan with the viewport; dragging moves the view. */
export const MiniMap = memo(function MiniMap({ layout }: { layout: Layout }) {
  const t = useTranslations("graph");
  const { setCenter, getZoom } = useReactFlow();
  const scale = Math.min((WIDTH - PADDING * 2) / layout.width, (HEIGHT - PADDING * 2) / layout.height, 0.2);
  const left = (WIDTH - layout.width * scale) / 2;
  const top = (HEIGHT - layout.height * scale) / 2;
  const move = (event: PointerEvent<SVGSVGElement>) => {
    if (event.buttons !== 1) return;
    const bounds = event.currentTarget.getBoundingClientRect();
    void setCenter((event.clientX - bounds.left - left) / scale, (event.clientY - bounds.top - top) / scale, {
      zoom: getZoom(),
    });
  };
  return (
    <svg
      className="pg-float pg-minimap"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`${-left / scale} ${-top / scale} ${WIDTH / scale} ${HEIGHT / scale}`}
      role="img"
      aria-label={t("miniMap")}
      onPointerDown={move}
      onPointerMove={move}
    >
      {layout.nodes.length > WITH_STATUS ? (
        <>
          <path className="pg-mini" d={layout.nodes.map(outline).join("")} />
          <MiniFailures layout={layout} />
        </>
      ) : (
        layout.nodes.map((placed) => <MiniNode key={placed.node.id} placed={placed} />)
      )}
      <InView stroke={1 / scale} />
    </svg>
  );
});

function outline({ x, y, box }: PlacedNode): string {
  return `M${x} ${y}h${box.width}v${box.height}h${-box.width}z`;
}

/** The failed calls of a large plan, with a stroke that keeps them visible at any scale. */
function MiniFailures({ layout }: { layout: Layout }) {
  const placed = useMemo(
    () => new Map(layout.nodes.flatMap((one) => one.node.keys.map((key) => [key, one]))),
    [layout],
  );
  const failures = useStudio(({ session }) => {
    let way = "";
    for (const [key, call] of session.calls) {
      const one = shownStatus(call) === "failed" ? placed.get(key) : undefined;
      if (one) way += outline(one);
    }
    return way;
  });
  return <path className="pg-mini" data-status="failed" data-large="" d={failures} />;
}

function MiniNode({ placed: { node, box, x, y } }: { placed: PlacedNode }) {
  const status = useStudio(({ session }) => STATUS[statusOfNode(session, node)].token);
  return (
    <rect
      className={node.open ? "pg-mini pg-mini-frame" : "pg-mini"}
      data-status={status}
      x={x}
      y={y + box.top}
      width={box.width}
      height={box.height - box.top}
      rx="5"
    />
  );
}

/** The visible part of the plan. */
function InView({ stroke }: { stroke: number }) {
  const [x, y, zoom] = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  return (
    <rect
      className="pg-mini-view"
      x={-x / zoom}
      y={-y / zoom}
      width={width / zoom}
      height={height / zoom}
      rx={2 * stroke}
      strokeWidth={stroke}
    />
  );
}
