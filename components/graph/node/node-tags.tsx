"use client";

import { useTranslations } from "next-intl";
import type { Highlight } from "../edge/highlight.ts";
import type { GraphNode } from "../plan-level.ts";
import { useTouched } from "./use-node-call.ts";

/** Tags on a card: the current step's number, and whether the call writes or reads the selected path. */
export function NodeTags({ node, lit }: { node: GraphNode; lit: Highlight | null }) {
  const t = useTranslations("graph");
  const touched = useTouched(node);
  const uses = lit
    ? [lit.writes.length > 0 && t("writes"), lit.reads.length > 0 && t("reads")].filter((word) => word !== false)
    : [];
  return (
    <>
      {touched !== null && (
        <span className="pg-flag">
          <span className="sr-only">{t("step")} </span>
          {touched}
        </span>
      )}
      {uses.length > 0 && <span className="pg-use">{uses.join(" · ")}</span>}
    </>
  );
}
