"use client";

import { ViewportPortal } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { memo } from "react";
import type { PlacedNode } from "../layout/layout.ts";

/** Where calls of the iteration before stood that this plan has no more; they are named in the bar of iterations. */
export const RemovedCalls = memo(function GoneCalls({ gone }: { gone: readonly PlacedNode[] }) {
  const t = useTranslations("graph.iterations");
  return (
    <ViewportPortal>
      {gone.map(({ node, box, x, y }) => (
        <div
          key={node.id}
          className="pg-gone"
          style={{ left: x, top: y + box.top, width: box.width, height: box.height - box.top }}
        >
          <s>{node.call.tool}</s>
          <span className="pg-mark" data-kind="removed">
            {t("kinds.removed")}
          </span>
        </div>
      ))}
    </ViewportPortal>
  );
});
