import { useTranslations } from "next-intl";
import { Icon, type IconName } from "@/components/ui/icon.tsx";
import type { SuiteRun } from "@/lib/api/shapes.ts";

const LOOKS: Record<SuiteRun["status"], { icon: IconName; ink: string }> = {
  queued: { icon: "waiting", ink: "text-fg-3" },
  running: { icon: "running", ink: "text-st-running" },
  finished: { icon: "succeeded", ink: "text-fg-3" },
  cancelled: { icon: "cancelled", ink: "text-fg-3" },
  failed: { icon: "failed", ink: "text-st-failed" },
  interrupted: { icon: "warn", ink: "text-st-waiting" },
};

/** Where a run stands, by icon and word. */
export function RunStatus({ run: { status } }: { run: Pick<SuiteRun, "status"> }) {
  const t = useTranslations("suites.run.status");
  const { icon, ink } = LOOKS[status];
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon name={icon} size={14} className={ink} />
      {t(status)}
    </span>
  );
}
