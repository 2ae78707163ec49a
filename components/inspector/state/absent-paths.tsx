"use client";

import { useTranslations } from "next-intl";
import type { Status } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Path } from "@/lib/plan/reference.ts";
import type { Absence, AbsentPath } from "./state-paths.ts";

const STATUS: Record<Absence, Status> = {
  planned: "planned",
  planned_only: "planned",
  running: "running",
  parked: "parked",
  interrupted: "parked",
  failed: "failed",
  skipped: "skipped",
  blocked: "blocked",
  denied: "denied",
  superseded: "superseded",
  cancelled: "cancelled",
  other_branch: "skipped",
};

/** The most paths that are shown, the ones expected soonest first. */
const SHOWN = 50;

interface AbsentPathsProps {
  absent: readonly AbsentPath[];
  selectedId: string | null;
  onPick: (path: Path) => void;
}

/** Paths of the plan without a value, with their writers or the reason. */
export function AbsentPaths({ absent, selectedId, onPick }: AbsentPathsProps) {
  const t = useTranslations("inspector.absent");
  return (
    <ul aria-label={t("title")} className="max-h-[40%] flex-none overflow-y-auto border-line border-t pt-1 pb-1.5">
      {absent.slice(0, SHOWN).map(({ id, path, tool, why }) => (
        <li key={id}>
          <button
            type="button"
            aria-pressed={id === selectedId}
            onClick={() => onPick(path)}
            className={`flex h-5 phone:h-11 w-full items-center gap-2 pr-3 pl-3.75 text-left text-11 whitespace-nowrap ${id === selectedId ? "bg-accent-soft" : "hover:bg-hover"}`}
          >
            <StatusIcon status={STATUS[why]} size={12} />
            <span
              className={`max-w-1/2 flex-none truncate font-mono ${id === selectedId ? "text-accent" : "text-fg-3"}`}
            >
              {id.replace(/^\./, "")}
            </span>
            <span className="flex-none text-fg-3">{t(why)}</span>
            <span className="ml-auto min-w-0 truncate pl-2 text-fg-3">{tool}</span>
          </button>
        </li>
      ))}
      {absent.length > SHOWN && (
        <li className="pt-1 pr-3 pl-8.5 text-11 text-fg-3">{t("more", { count: absent.length - SHOWN })}</li>
      )}
    </ul>
  );
}
