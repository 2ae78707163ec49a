"use client";

import { memo } from "react";
import type { PlacedInference } from "../layout/layout.ts";
import { useEvidence } from "../node/use-evidence.ts";
import { shorten, tracePath } from "./trace.ts";

/** The length of a tip, and how far before the mark a line ends. */
const TIP = 7;
const AT_MARK = 1;

/** What a result brought to a later call, as far as can be told: a dashed line from card to mark (E15). */
export const InferredLine = memo(function InferredLine({ placed: { to, mark, points } }: { placed: PlacedInference }) {
  const tell = useEvidence();
  const ending = shorten(points, AT_MARK);
  const end = ending.at(-1);
  const brought = to.brought[mark];
  if (!end || !brought) return null;
  const { source, lines } = tell(brought);
  const line = tracePath(shorten(ending, TIP - 1));
  return (
    <g className="pg-inferred">
      <path className="pg-inferred-hit" d={line}>
        <title>{[source, ...lines.map(({ text }) => text)].join("\n")}</title>
      </path>
      <path className="pg-line-path" d={line} />
      <path className="pg-tip" d={`M${end.x} ${end.y}l-${TIP} -3.6v7.2z`} />
    </g>
  );
});
