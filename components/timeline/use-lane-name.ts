"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { isAgentLane, type Lane } from "@/lib/session/timeline/lanes/layout.ts";

/** A lane's name; an agent's lane is named by its id. */
export function useLaneName(): (lane: Lane) => string {
  const t = useTranslations("timeline.lane");
  return useCallback((lane) => (isAgentLane(lane) ? lane.slice("agent:".length) || t("nameless") : t(lane)), [t]);
}
