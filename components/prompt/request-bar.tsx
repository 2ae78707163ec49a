"use client";

import { useTranslations } from "next-intl";
import { StepLink } from "@/components/inspector/step-link.tsx";
import { rootRun, topLevelRuns } from "@/components/selection/resolve-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { ShownRequest } from "./requests.ts";

interface RequestBarProps {
  request: ShownRequest;
  /** From the prompt's event; null while loading, or without one. */
  iteration: number | null;
}

/** The shown request and its run, with previous and next. */
export function RequestBar({ request: { row, number, count, previous, next }, iteration }: RequestBarProps) {
  const t = useTranslations("prompt.request");
  const jump = useStudio((state) => state.jump);
  const whose = useWhose(row);
  return (
    <header className="flex-none border-line border-b px-3 py-1.5">
      <div className="flex items-center gap-1">
        <h3 className="min-w-0 truncate text-13 font-semibold tabular-nums">{t("place", { number, count })}</h3>
        <span className="flex-1" />
        <StepLink step={row.seq} />
        <span className="-mr-1.5 ml-1 flex">
          <Button
            variant="ghost"
            square
            aria-label={t("previous")}
            title={t("previous")}
            disabled={previous === null}
            onClick={() => previous !== null && jump(previous)}
          >
            <Icon name="left" />
          </Button>
          <Button
            variant="ghost"
            square
            aria-label={t("next")}
            title={t("next")}
            disabled={next === null}
            onClick={() => next !== null && jump(next)}
          >
            <Icon name="right" />
          </Button>
        </span>
      </div>
      <p className="min-h-4 truncate text-11 text-fg-3 tabular-nums">
        {[...whose, iteration === null ? null : t("iteration", { number: iteration })].filter(Boolean).join(" · ")}
      </p>
    </header>
  );
}

/** The request's owner: the run, its agent or delegate, and the call whose result is requested. */
function useWhose(row: ShownRequest["row"]): string[] {
  const t = useTranslations("prompt.request");
  const session = useStudio((state) => state.session);
  const run = session.runs.get(row.run ?? "");
  if (!run) return [];
  const root = rootRun(session, run.id);
  const place = root ? topLevelRuns(session).indexOf(root) + 1 + session.runs_before : 0;
  const call =
    row.call && [...session.calls.values()].find(({ id, run_id }) => id === row.call?.id && run_id === row.run);
  return [
    t("run", { number: place }),
    run.delegate ?? run.agent_id ?? "",
    row.call ? t("forCall", { call: `${call?.tool ?? row.call.id} ${row.call.instance}`.trim() }) : "",
  ];
}
