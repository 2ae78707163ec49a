"use client";

import { useTranslations } from "next-intl";
import { printedKey, type ShortcutName } from "@/components/keys/shortcuts.ts";
import { type Finding, useGoToFinding } from "@/components/selection/use-go-to-finding.ts";
import type { Speed, StepUnit } from "@/components/studio/studio-state.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon, type IconName } from "@/components/ui/icon.tsx";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import { BookmarksPanel } from "./bookmarks/bookmarks-panel.tsx";
import type { BookmarkPanel } from "./bookmarks/use-bookmark-panel.ts";
import type { Chart } from "./chart/chart.ts";
import { CurrentStep } from "./current-step.tsx";
import { LanesMenu } from "./lanes-menu.tsx";
import type { ViewChoice } from "./use-view-choice.ts";

const SPEEDS = [0.5, 1, 2, 4, 8] as const satisfies Speed[];
const ZOOM = 1.6;

interface TransportProps {
  chart: Chart;
  model: TimelineModel | null;
  choice: ViewChoice;
  panel: BookmarkPanel;
}

/** The toolbar above the lanes: navigation, position and view options. */
export function Transport({ chart, model, choice, panel }: TransportProps) {
  return (
    // On a phone, navigation is at the bottom.
    <div className="flex h-9 phone:h-11 flex-none items-center gap-0.5 border-line border-b pr-3 pl-2 whitespace-nowrap phone:contents">
      <div className="contents phone:order-last phone:flex phone:flex-none phone:items-center phone:justify-between phone:border-line phone:border-t phone:bg-sunken phone:px-1 phone:py-1">
        <StepButton
          icon="previous-message"
          name="previousMessage"
          shortcut="previousMessage"
          unit="message"
          direction={-1}
        />
        <StepButton icon="previous-call" name="previousCall" shortcut="previousCall" unit="call" direction={-1} />
        <StepButton icon="previous-step" name="previousStep" shortcut="backward" unit="step" direction={-1} />
        <PlayButton />
        <StepButton icon="next-step" name="nextStep" shortcut="forward" unit="step" direction={1} />
        <StepButton icon="next-call" name="nextCall" shortcut="nextCall" unit="call" direction={1} />
        <StepButton icon="next-message" name="nextMessage" shortcut="nextMessage" unit="message" direction={1} />
        <SpeedMenu />
      </div>
      <span className="mx-1 h-4 w-px flex-none bg-line-strong phone:hidden" />
      <div className="contents phone:flex phone:min-h-13 phone:flex-none phone:flex-wrap phone:items-center phone:gap-y-1 phone:border-line phone:border-b phone:bg-sunken phone:px-1.5 phone:py-1.5">
        <CurrentStep model={model} />
        <span className="grow" />
        {model && <JumpButtons model={model} />}
        {model && <BookmarksPanel panel={panel} model={model} />}
        {model && (
          <>
            <LanesMenu model={model} choice={choice} />
            <ScaleSwitch model={model} choice={choice} />
            <ZoomButtons chart={chart} />
          </>
        )}
      </div>
    </div>
  );
}

interface StepButtonProps {
  icon: IconName;
  name: "previousMessage" | "previousCall" | "previousStep" | "nextStep" | "nextCall" | "nextMessage";
  shortcut: ShortcutName;
  unit: StepUnit;
  direction: 1 | -1;
}

function StepButton({ icon, name, shortcut, unit, direction }: StepButtonProps) {
  const t = useTranslations("timeline");
  const step = useStudio((state) => state.step);
  return (
    <Tooltip text={t(name)} shortcut={printedKey(shortcut)}>
      <Button variant="ghost" square aria-label={t(name)} onClick={() => step(unit, direction)}>
        <Icon name={icon} />
      </Button>
    </Tooltip>
  );
}

function PlayButton() {
  const t = useTranslations("timeline");
  const playing = useStudio((state) => state.playing);
  const play = useStudio((state) => state.play);
  const pause = useStudio((state) => state.pause);
  const name = playing ? t("pause") : t("play");
  return (
    <Tooltip text={name} shortcut={printedKey("play")}>
      <Button square className="mx-0.5 border-line-control" aria-label={name} onClick={playing ? pause : play}>
        <Icon name={playing ? "pause" : "play"} size={14} />
      </Button>
    </Tooltip>
  );
}

const GHOST =
  "inline-flex h-(--control) flex-none items-center gap-1 rounded-2 px-1.5 font-medium text-fg-2 tabular-nums hover:bg-hover hover:text-fg";

function SpeedMenu() {
  const t = useTranslations("timeline");
  const speed = useStudio((state) => state.speed);
  const setSpeed = useStudio((state) => state.setSpeed);
  return (
    <Menu
      label={`${t("speed")}: ${speed}×`}
      className={GHOST}
      trigger={
        <>
          {speed}×<Icon name="down" size={12} />
        </>
      }
    >
      {SPEEDS.map((one) => (
        <MenuItem key={one} checked={one === speed} onSelect={() => setSpeed(one)}>
          {one}×
        </MenuItem>
      ))}
    </Menu>
  );
}

const JUMPS = [
  { unit: "alert", icon: "manager", shortcut: "nextAlert", ink: "text-st-escalated" },
  { unit: "approval", icon: "clock", shortcut: "nextApproval", ink: "text-st-waiting" },
  { unit: "error", icon: "failed", shortcut: "nextFinding", ink: "text-st-failed" },
] as const satisfies { unit: Finding; icon: IconName; shortcut: ShortcutName; ink: string }[];

/** Buttons to the next alert, approval or error, if there are any. */
function JumpButtons({ model }: { model: TimelineModel }) {
  const t = useTranslations("timeline");
  const goTo = useGoToFinding();
  const counts = { alert: model.alerts, approval: model.approvals, error: model.errors };
  return JUMPS.filter(({ unit }) => counts[unit] > 0).map(({ unit, icon, shortcut, ink }) => (
    <Tooltip key={unit} text={t(`next.${unit}`)} shortcut={printedKey(shortcut)}>
      <Button
        variant="ghost"
        className={`tabular-nums ${ink}`}
        aria-label={`${t(`count.${unit}`, { count: counts[unit] })}. ${t(`next.${unit}`)}`}
        aria-keyshortcuts={printedKey(shortcut).replace(" ", "+")}
        onClick={({ shiftKey }) => goTo(unit, shiftKey ? -1 : 1)}
      >
        <Icon name={icon} size={14} />
        {counts[unit]}
      </Button>
    </Tooltip>
  ));
}

function ScaleSwitch({ model, choice }: Omit<TransportProps, "chart" | "model" | "panel"> & { model: TimelineModel }) {
  const t = useTranslations("timeline");
  if (!model.time)
    return (
      <span className="ml-1.5 text-fg-3" title={t("noTimes")}>
        {t("steps")}
      </span>
    );
  return (
    <Segmented
      label={t("scale")}
      className="ml-1.5"
      value={choice.mode ?? model.mode}
      options={[
        { value: "time", label: t("time") },
        { value: "steps", label: t("steps") },
      ]}
      onChange={choice.setMode}
    />
  );
}

function ZoomButtons({ chart }: { chart: Chart }) {
  const t = useTranslations("timeline");
  const buttons = [
    { name: "zoomOut", icon: "minus", shortcut: "zoomOut", onClick: () => chart.zoomBy(1 / ZOOM) },
    { name: "zoomIn", icon: "plus", shortcut: "zoomIn", onClick: () => chart.zoomBy(ZOOM) },
    { name: "fit", icon: "fit", shortcut: "zoomAll", onClick: () => chart.fit() },
  ] as const;
  return (
    <span className="ml-1.5 inline-flex narrow:hidden">
      {buttons.map(({ name, icon, shortcut, onClick }) => (
        <Tooltip key={name} text={t(name)} shortcut={printedKey(shortcut)}>
          <Button variant="ghost" square aria-label={t(name)} onClick={onClick}>
            <Icon name={icon} />
          </Button>
        </Tooltip>
      ))}
    </span>
  );
}
