"use client";

import { useStore } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import type { Layout } from "./layout.ts";
import { Legend } from "./legend.tsx";
import { MiniMap } from "./mini-map.tsx";
import { OVERVIEW, isFree } from "./overview-place.ts";

/**
 * The mini-map and the legend. They show by themselves where the first look leaves their corner free, and at the
 * reader's wish everywhere.
 */
export function Overview({ layout }: { layout: Layout }) {
  const t = useTranslations("graph");
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const [wish, setWish] = useState<boolean | null>(null);
  const shown = wish ?? isFree(layout, { width, height });
  const label = t(shown ? "overviewHide" : "overviewShow");
  return (
    <div className="pg-overview" data-shown={shown || undefined} style={{ margin: OVERVIEW.margin }}>
      {shown && (
        <>
          <MiniMap layout={layout} />
          <Legend recorded={layout.connectors.length > 0} />
        </>
      )}
      <Tooltip text={label}>
        <Button square className="pg-overview-toggle" aria-label={label} aria-expanded={shown} onClick={() => setWish(!shown)}>
          <Icon name={shown ? "down" : "more"} size={shown ? 12 : 16} />
        </Button>
      </Tooltip>
    </div>
  );
}
