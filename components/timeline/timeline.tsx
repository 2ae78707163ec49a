"use client";

import "./timeline.css";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { useStudio, useStudioStore } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { modelMaker, type TimelineModel } from "@/lib/session/timeline/model.ts";
import { useBookmarkPanel } from "./bookmarks/use-bookmark-panel.ts";
import { Board } from "./chart/board.tsx";
import { Chart } from "./chart/chart.ts";
import { Transport } from "./transport.tsx";
import { useKeys } from "./use-keys.ts";
import { useRange } from "./use-range.ts";
import { useViewChoice } from "./use-view-choice.ts";

/** Only with a selected range. */
const RangeBar = dynamic(() => import("./range-bar.tsx").then((room) => room.RangeBar), { loading: () => null });

/** The timeline (C5): transport and lanes. */
export function Timeline() {
  const t = useTranslations("timeline");
  const store = useStudioStore();
  const [chart] = useState(() => new Chart(store));
  const model = useModel();
  const choice = useViewChoice();
  const [range, select] = useRange();
  const panel = useBookmarkPanel();
  useKeys(chart, panel.mark);
  const playWithin = useStudio((state) => state.playWithin);
  // The outside system is the player, which knows nothing of the address.
  useEffect(() => playWithin(range), [playWithin, range]);
  return (
    <section aria-label={t("label")} className="timeline">
      <Transport chart={chart} model={model} choice={choice} panel={panel} />
      {model && range && (
        <RangeBar model={model} range={range} onZoom={() => chart.zoomTo(range)} onClear={() => select(null)} />
      )}
      {model && model.last > 0 ? (
        <Board chart={chart} model={model} choice={choice} range={range} bookmarks={panel.bookmarks.all} />
      ) : (
        <Nothing isLoaded={model !== null} />
      )}
    </section>
  );
}

/** Shown instead of the lanes: no steps, loading, or a loading error. */
function Nothing({ isLoaded }: { isLoaded: boolean }) {
  const t = useTranslations("timeline");
  const failure = useStudio((state) => state.failure);
  const retry = useStudio((state) => state.retry);
  const making = useStudio((state) => state.making);
  if (isLoaded)
    return (
      <div className="timeline-nothing">
        <p className="font-medium text-fg">{t("empty")}</p>
        <p>{t("emptyHint")}</p>
      </div>
    );
  if (failure === null)
    return (
      <div className="timeline-nothing" role="status">
        {making === null ? t("loading") : t("making", { share: making })}
      </div>
    );
  return (
    <div className="timeline-nothing" role="alert">
      <p className="font-medium text-fg">{t("failed")}</p>
      <p>{failure}</p>
      <Button onClick={retry}>{t("retry")}</Button>
    </div>
  );
}

/** The timeline's model; null until its rows are loaded. */
function useModel(): TimelineModel | null {
  const rows = useStudio((state) => state.timeline);
  const long = useStudio((state) => state.long);
  const [makeModel] = useState(modelMaker);
  // When rows arrive, other panes render first; afterwards the model is updated immediately.
  const hasCome = useDeferredValue(rows !== null);
  return useMemo(() => (hasCome && rows ? makeModel(rows, long) : null), [hasCome, rows, long, makeModel]);
}
