"use client";

import { useTranslations } from "next-intl";
import { StateTab } from "@/components/inspector/state/state-tab.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import { DetailSwitch } from "../detail-switch.tsx";
import type { OpenPlan } from "../use-plan.ts";
import { BranchChoices } from "./branch-choices.tsx";
import { WaveList } from "./wave-list.tsx";

/** The simulation: waves, chosen branches, and the state after each wave (P18). */
export function SimulationPane({ plan }: { plan: OpenPlan }) {
  const t = useTranslations("playground.simulation");
  const { simulation } = plan.simulation;
  return (
    <section aria-label={t("title")} className="flex h-full min-h-0 flex-col bg-surface">
      <div className="flex h-[var(--h-toolbar)] flex-none items-center gap-1 border-line border-b px-3">
        <DetailSwitch shown="simulation" />
        <span className="flex-1" />
        {simulation && <Transport />}
      </div>
      {simulation ? (
        <>
          <WaveList simulation={simulation} />
          <BranchChoices plan={plan} />
          <div className="min-h-0 flex-1 border-line border-t">
            <StateTab />
          </div>
        </>
      ) : (
        <Missing plan={plan} />
      )}
    </section>
  );
}

/** Previous, play and next. */
function Transport() {
  const t = useTranslations("playground.simulation");
  const at = useStudio((state) => state.at);
  const last = useStudio((state) => state.last);
  const playing = useStudio((state) => state.playing);
  const step = useStudio((state) => state.step);
  const play = useStudio((state) => state.play);
  const pause = useStudio((state) => state.pause);
  return (
    <>
      <span role="status" className="min-w-0 truncate text-11 text-fg-3 tabular-nums">
        {at === 0 ? t("begin") : t("at", { at, last })}
      </span>
      <Tooltip text={t("previous")} shortcut="←">
        <Button
          variant="ghost"
          square
          aria-label={t("previous")}
          aria-disabled={at === 0}
          onClick={() => step("step", -1)}
        >
          <Icon name="left" />
        </Button>
      </Tooltip>
      <Tooltip text={t(playing ? "pause" : "play")} shortcut={t("space")}>
        <Button variant="ghost" square aria-label={t(playing ? "pause" : "play")} onClick={playing ? pause : play}>
          <Icon name={playing ? "pause" : "play"} />
        </Button>
      </Tooltip>
      <Tooltip text={t("next")} shortcut="→">
        <Button
          variant="ghost"
          square
          aria-label={t("next")}
          aria-disabled={at === last}
          onClick={() => step("step", 1)}
        >
          <Icon name="right" />
        </Button>
      </Tooltip>
    </>
  );
}

/** Why there is no simulation, and what to do. */
function Missing({ plan }: { plan: OpenPlan }) {
  const t = useTranslations("playground.simulation");
  const { read, check, simulation, isLarge, request } = plan;
  const isSound = check.check?.ok === true && !check.isStale;
  if (simulation.failure)
    return (
      <div role="alert" className="flex flex-col items-start gap-2 p-3">
        <p className="text-pretty text-st-failed">{t("failed")}</p>
        <p className="text-pretty text-fg-2 wrap-anywhere">{simulation.failure.message}</p>
        <Button onClick={simulation.retry}>{t("retry")}</Button>
      </div>
    );
  if (request !== null && read.calls.length === 0) return <p className="p-3 text-pretty text-fg-3">{t("empty")}</p>;
  if (isSound && isLarge && !simulation.isFetching)
    return (
      <div className="flex flex-col items-start gap-2 p-3">
        <p className="text-pretty text-fg-2">{t("large", { count: read.calls.length })}</p>
        <Button onClick={plan.play}>{t("playLarge")}</Button>
      </div>
    );
  const isBad = request === null || (check.check?.ok === false && !check.isStale);
  return (
    <p role="status" className="p-3 text-pretty text-fg-3">
      {t(isBad ? "unsound" : check.failure ? "unreachable" : "loading")}
    </p>
  );
}
