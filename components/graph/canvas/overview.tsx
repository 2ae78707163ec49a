"use client";

import type { Layout } from "../layout/layout.ts";
import { Legend } from "./legend.tsx";
import { MiniMap } from "./mini-map.tsx";

/** The mini-map and the legend, in the lower left corner. */
export function Overview({ layout }: { layout: Layout }) {
  return (
    <div className="pg-overview">
      <MiniMap layout={layout} />
      <Legend recorded={layout.asText} inferred={layout.nodes.some(({ node }) => node.brought.length > 0)} />
    </div>
  );
}
