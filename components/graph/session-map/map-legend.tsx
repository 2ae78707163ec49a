"use client";

import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import type { Level } from "./layout.ts";
import { Line } from "./map-band.tsx";

const LINE = [
  { x: 1, y: 7 },
  { x: 33, y: 7 },
];

/** The meaning of lines and signs on the map. */
export function MapLegend({ level, inferred, past }: { level: Level; inferred: boolean; past: boolean }) {
  const t = useTranslations("graph.map.legend");
  return (
    <ul className="sm-legend">
      {inferred && (
        <li>
          <Sample />
          {t("inferred")}
        </li>
      )}
      <li>
        <Sample declared />
        {t("declared")}
      </li>
      {level === "near" ? (
        <>
          <li>
            <span className="sm-chip" data-kind="message" aria-hidden="true">
              <Icon name="thread" size={12} />
            </span>
            {t("said")}
          </li>
          <li>
            <span className="sm-count" aria-hidden="true">
              ×5
            </span>
            {t("equal")}
          </li>
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
      <Line points={LINE} declared={declared} later={false} lit={false} />
    </svg>
  );
}
