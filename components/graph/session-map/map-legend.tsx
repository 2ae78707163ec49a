"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import type { Level, MapLayout } from "./layout.ts";
import type { Links } from "./links.ts";
import { Strokes } from "./strokes.tsx";

const LINE = [
  { x: 1, y: 7 },
  { x: 33, y: 7 },
];

interface MapLegendProps {
  level: Level;
  links: Links;
  layout: MapLayout | null;
  /** A past step is shown. */
  past: boolean;
}

/** The meaning of lines and signs on the map. */
export function MapLegend({ level, links, layout, past }: MapLegendProps) {
  const t = useTranslations("graph.map.legend");
  const kinds = useMemo(
    () => new Set([...links.values()].flatMap((sources) => sources.map(({ kind }) => kind))),
    [links],
  );
  const hasEqual = layout?.bands.some(({ cards }) => cards.some(({ entry }) => entry.calls.length > 1)) ?? false;
  return (
    <ul className="sm-legend">
      {kinds.has("inferred") && (
        <li>
          <Sample />
          {t("inferred")}
        </li>
      )}
      {kinds.has("declared") && (
        <li>
          <Sample declared />
          {t("declared")}
        </li>
      )}
      {level === "near" ? (
        <>
          {kinds.has("message") && (
            <li>
              <span className="sm-chip" data-kind="message" aria-hidden="true">
                <Icon name="thread" size={12} />
              </span>
              {t("said")}
            </li>
          )}
          {hasEqual && (
            <li>
              <span className="sm-count" aria-hidden="true">
                ×5
              </span>
              {t("equal")}
            </li>
          )}
        </>
      ) : (
        (["succeeded", "failed", "waiting"] as const).map((status) => (
          <li key={status}>
            <span className="sm-mark" data-status={status} aria-hidden="true">
              {status === "failed" && <Icon name="close" size={12} />}
            </span>
            {t(status)}
          </li>
        ))
      )}
      {past && (
        <li>
          <span className="sm-here" aria-hidden="true" />
          {t("here")}
        </li>
      )}
    </ul>
  );
}

function Sample({ declared = false }: { declared?: boolean }) {
  return (
    <svg width="34" height="14" aria-hidden="true">
      <Strokes strokes={[{ points: LINE, declared, later: false, lit: false, tip: true }]} />
    </svg>
  );
}
