"use client";

import { Handle, Position } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { use } from "react";
import { GRIP, gripTop } from "../canvas/flow-elements.ts";
import type { Box } from "../layout/geometry.ts";
import { EdgeDrawingContext } from "./edge-drawing.ts";

/** The source handle on a card's right side, and the target handle that covers the card. */
export function EdgeHandles({ box }: { box: Box }) {
  const t = useTranslations("graph");
  const isDrawing = use(EdgeDrawingContext) !== null;
  if (!isDrawing) return null;
  const height = box.height - box.top;
  return (
    <>
      <Handle
        type="target"
        position={Position.Left}
        // The card receives clicks unless an edge is being drawn.
        isConnectableStart={false}
        className="pg-drop"
        style={{ top: box.top, height }}
      />
      <Handle
        type="source"
        position={Position.Right}
        isConnectableEnd={false}
        className="pg-grip"
        title={t("drawEdge")}
        style={{ top: box.top + gripTop(height), width: GRIP, height: GRIP }}
      />
    </>
  );
}
