"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { CallTime } from "@/components/studio/call-time.tsx";
import { useClock } from "@/components/studio/use-session-time.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { Bookmark } from "@/lib/session/bookmarks.ts";
import { callKey } from "@/lib/session/keys.ts";
import { isAgentLane, type Lane, type LaneBox, layLanes, optionalLanes } from "@/lib/session/timeline/lanes/layout.ts";
import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import type { StepRange } from "@/lib/session/timeline/scale/range.ts";
import { useBrush } from "../use-brush.ts";
import { useLaneName } from "../use-lane-name.ts";
import type { ViewChoice } from "../use-view-choice.ts";
import { useWheel } from "../use-wheel.ts";
import type { Chart } from "./chart.ts";
import { ForkMarks } from "./fork-marks.tsx";
import { LaneTable } from "./lane-table.tsx";
import { Plot } from "./plot.tsx";
import { useSize } from "./use-size.ts";
import { useWords } from "./use-words.ts";

interface BoardProps {
  chart: Chart;
  model: TimelineModel;
  choice: ViewChoice;
  range: StepRange | null;
  bookmarks: readonly Bookmark[];
}

/** The most running calls shown at the end of their lane. */
const RUNNING_SHOWN = 3;
/** Height below the lanes of a fork, for the label of its source, in pixels. */
const BROUGHT_WORDS = 16;

/** The overview and the lanes: labels are HTML, the rest is canvas. */
export function Board({ chart, model, choice, range, bookmarks }: BoardProps) {
  const t = useTranslations("timeline");
  const words = useWords(model);
  const brought = useStudio((state) => state.forkedFrom?.seq ?? 0);
  const now = useClock(model.lanes.approvals.some(({ to }) => to === null));
  const overview = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const overviewSize = useSize(overview);
  const scrollerSize = useSize(scroller);
  const plotSize = useSize(plot);
  const shown = optionalLanes(model.lanes, choice.grouping).filter((lane) => !choice.hidden.has(lane));
  const foot = brought > 0 ? BROUGHT_WORDS : 0;
  const boxes = layLanes(["axis", "events", ...shown], model.lanes, Math.max((scrollerSize?.height ?? 0) - foot, 0));
  const axis = (choice.mode ?? model.mode) === "time" ? (model.time ?? model.steps) : model.steps;
  useWheel(chart, plot);
  const brush = useBrush(chart);

  // The outside system is the canvas.
  useEffect(() => {
    const part = (name: string) => find(scroller.current?.parentElement, name);
    return chart.attach({
      lanes: findCanvas(plot.current),
      overview: findCanvas(overview.current),
      head: part("head"),
      flag: part("flag"),
      veil: part("veil"),
      range: part("range"),
      rangeText: part("range-text"),
      selection: part("selection"),
      overviewSelection: part("overview-selection"),
      overviewHead: part("overview-head"),
      overviewVeil: part("overview-veil"),
      brush: part("brush"),
      forks: part("forks"),
      brought: part("brought"),
      overviewBrought: part("overview-brought"),
    });
  }, [chart]);

  useEffect(() => {
    if (!plotSize || !overviewSize) return;
    const marked = bookmarks.map(({ seq }) => seq).filter((seq) => seq <= model.last);
    chart.show({
      ...{ model, axis, boxes, words, now, range, brought },
      ...{ bookmarks: marked, lanes: plotSize, overview: overviewSize },
    });
  });

  const height = boxes.reduce((sum, box) => sum + box.height, foot);
  return (
    <div className="timeline-board">
      <div className="timeline-label timeline-session">
        <span>{t("lane.session")}</span>
        <span className="timeline-count">{model.lanes.agent.length > 0 && t("runs", { count: model.turns })}</span>
      </div>
      <div ref={overview} className="timeline-overview" {...brush}>
        <canvas />
        <div data-part="overview-brought" className="timeline-brought" hidden />
        <div data-part="overview-veil" className="timeline-veil" />
        <div data-part="overview-selection" className="timeline-selection" hidden />
        <div data-part="brush" className="timeline-brush" hidden />
        <div data-part="overview-head" className="timeline-head" />
      </div>
      <div ref={scroller} className="timeline-lanes">
        <div className="timeline-labels" style={{ height }}>
          {boxes.map((box) => (
            <LaneLabel key={box.lane} box={box} model={model} isTime={axis.mode === "time"} />
          ))}
        </div>
        <Plot plot={plot} chart={chart} height={height} model={model} />
        <RunningCalls boxes={boxes} />
        <ForkMarks chart={chart} />
      </div>
      <LaneTable model={model} lanes={shown} now={now} />
    </div>
  );
}

/** The progress of running calls, at the end of their lane. */
function RunningCalls({ boxes }: { boxes: readonly LaneBox[] }) {
  const calls = useStudio((state) => state.session?.calls);
  const box = boxes.find(({ lane }) => lane === "tools") ?? boxes.find(({ lane }) => isAgentLane(lane));
  const running = [...(calls?.values() ?? [])].filter(({ status, progress }) => status === "running" && progress);
  if (!box || running.length === 0) return null;
  return (
    <div
      className="pointer-events-none absolute right-1 flex max-w-3/5 justify-end gap-1 overflow-hidden"
      style={{ top: box.top }}
    >
      {running.slice(-RUNNING_SHOWN).map((call) => (
        <span
          key={callKey(call.run_id, call.iteration, call.instance, call.id)}
          className="flex h-4 min-w-0 items-center gap-1.5 rounded-1 border border-line bg-surface px-1.5 text-10 text-fg-2"
        >
          <span className="truncate">{call.tool}</span>
          <CallTime call={call} className="flex-none tabular-nums" ticks />
        </span>
      ))}
    </div>
  );
}

function LaneLabel({ box, model, isTime }: { box: LaneBox; model: TimelineModel; isTime: boolean }) {
  const t = useTranslations("timeline");
  const format = useFormatter();
  const nameOf = useLaneName();
  const count = countOf(box.lane, model);
  const name = box.lane === "axis" && !isTime ? t("lane.stepAxis") : nameOf(box.lane);
  return (
    <div className="timeline-label" style={{ height: box.height }}>
      <span title={isAgentLane(box.lane) ? name : undefined}>
        <span className="truncate">{name}</span>
      </span>
      {count !== null && <span className="timeline-count">{format.number(count)}</span>}
    </div>
  );
}

function countOf(lane: Lane, model: TimelineModel): number | null {
  if (lane === "axis") return null;
  if (lane === "events") return model.last;
  if (lane === "agent") return model.turns;
  if (model.long) return model.long.totals(lane).count;
  if (isAgentLane(lane)) return model.lanes.byAgent.find((work) => work.lane === lane)?.turns.length ?? 0;
  return model.lanes[lane].length;
}

function find(board: Element | null | undefined, part: string): HTMLElement {
  const found = board?.querySelector(`[data-part="${part}"]`);
  if (!(found instanceof HTMLElement)) throw new Error(`The timeline has no part ${part}`);
  return found;
}

function findCanvas(parent: Element | null): HTMLCanvasElement {
  const found = parent?.querySelector("canvas");
  if (!found) throw new Error("The timeline has no canvas");
  return found;
}
