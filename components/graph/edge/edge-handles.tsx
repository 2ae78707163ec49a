"use client";

import { Handle, Position } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { use } from "react";
import { GRIP, gripsOf } from "../canvas/flow-elements.ts";
import type { Box } from "../layout/geometry.ts";
import { PlanEditingContext } from "../plan-editing.ts";

/** The source handles on a card's right side, and the target handle that covers the card. */
export function EdgeHandles({ box }: { box: Box }) {
  const t = useTranslations("graph");
  const isDrawing = use(PlanEditingContext) !== null;
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
      {gripsOf(box).map(({ id, top }) => (
        <Handle
          key={id}
          {...(id !== null && { id })}
          type="source"
          position={Position.Right}
          isConnectableEnd={false}
          className="pg-grip"
          title={t("drawEdge")}
          style={{ top, width: GRIP, height: GRIP }}
        />
      ))}
    </>
  );
}
