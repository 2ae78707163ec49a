"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { Part } from "@/components/inspector/part.tsx";
import { useSelection } from "@/components/selection/use-selection.ts";
import type { Run } from "@/lib/session/session.ts";
import { StageState } from "./stage-state.tsx";
import { turnPathOf, type Visit } from "./turn-path.ts";
import { useDirectedRun } from "./use-directed-run.ts";
import { useStageNames } from "./use-stage-names.ts";

/** The path of a turn as a list, and the conversation state at the selected or current node. */
export function StageTab() {
  const run = useDirectedRun();
  return run && <TurnPath run={run} />;
}

function TurnPath({ run }: { run: Run }) {
  const t = useTranslations("stages");
  const names = useStageNames();
  const way = useMemo(() => turnPathOf(run), [run]);
  const [{ node }] = useSelection();
  const shown = node === null ? way.at(-1) : way.findLast((visit) => visit.node === node);
  return (
    <div className="h-full overflow-y-auto">
      <Part title={t("way")}>
        <ol aria-label={t("way")} className="-mx-1.5">
          {way.map((visit) => (
            <WayRow key={visit.seq} visit={visit} shown={visit === shown} />
          ))}
        </ol>
      </Part>
      {shown ? (
        <StageState run={run} visit={shown} />
      ) : (
        <p className="px-3 py-2 text-fg-3">
          {t(run.ended_seq === null ? "notYet" : "notTaken", { name: names.node(node ?? "") })}
        </p>
      )}
    </div>
  );
}

function WayRow({ visit, shown }: { visit: Visit; shown: boolean }) {
  const t = useTranslations("stages");
  const names = useStageNames();
  const [{ node }, select] = useSelection();
  return (
    <li>
      <button
        type="button"
        aria-pressed={shown}
        aria-current={visit.next === null ? "step" : undefined}
        onClick={() => select({ node: node === visit.node ? null : visit.node })}
        className="flex min-h-6.5 phone:min-h-11 w-full items-center gap-2 rounded-1 px-1.5 text-left hover:bg-hover aria-pressed:bg-accent-soft"
      >
        <span className="w-4 flex-none text-right text-fg-3 tabular-nums">{visit.order}</span>
        <span className="flex-none font-medium">{names.node(visit.node)}</span>
        <span className="min-w-0 truncate font-mono text-11 text-fg-3">{visit.agents.join(", ")}</span>
        <span className="ml-auto flex-none text-11 text-fg-3 tabular-nums">{t("step", { step: visit.seq })}</span>
      </button>
    </li>
  );
}
