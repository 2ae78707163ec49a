"use client";

import { useTranslations } from "next-intl";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Run } from "@/lib/session/session.ts";
import { shownRunStatus } from "./shown-run-status.ts";

/** A run's status icon. */
export function RunStatusIcon({ run }: { run: Pick<Run, "status" | "reason" | "simulated"> }) {
  const t = useTranslations("events.run_status");
  const status = shownRunStatus(run);
  return <StatusIcon status={status} size={14} label={t(status)} />;
}
