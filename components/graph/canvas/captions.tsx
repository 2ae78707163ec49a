"use client";

import { ViewportPortal } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { memo } from "react";
import { tracePath } from "../edge/trace.ts";
import type { Layout } from "../layout/layout.ts";

/** Headings of waves and iterations, and the line through recorded calls. */
export const Captions = memo(function Captions({ layout }: { layout: Layout }) {
  const t = useTranslations("graph");
  return (
    <ViewportPortal>
      <div className="pg-captions">
        <svg className="pg-connectors" width={layout.width} height={layout.height} aria-hidden="true">
          {layout.connectors.map((points) => (
            <path key={`${points[0]?.x} ${points[0]?.y}`} d={tracePath(points)} />
          ))}
        </svg>
        {layout.captions.map(({ kind, number, x, y, width }) => (
          <span key={`${x} ${y}`} className={`pg-caption pg-caption-${kind}`} style={{ left: x, top: y, width }}>
            {t(kind, { number })}
          </span>
        ))}
      </div>
    </ViewportPortal>
  );
});
