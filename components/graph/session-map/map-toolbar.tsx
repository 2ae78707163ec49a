"use client";

import { useTranslations } from "next-intl";
import { useMemo, useRef } from "react";
import { printedKey } from "@/components/keys/shortcuts.ts";
import { useGoToFinding } from "@/components/selection/use-go-to-finding.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import type { ShownCallStatus } from "@/components/ui/status.ts";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import type { MapCall, SessionMap } from "@/lib/session/map/session-map.ts";
import { FindField } from "../canvas/find-call.tsx";
import { StatusCounts, Tool } from "../canvas/plan-toolbar.tsx";
import type { Inferred } from "../edge/use-inferred.ts";
import { statusAt } from "./at-step.ts";
import { hasFailed } from "./bands.ts";
import type { Level, MapLayout } from "./layout.ts";
import type { Links } from "./links.ts";
import { MapExport } from "./map-export.tsx";

interface MapToolbarProps {
  map: SessionMap;
  at: number;
  level: Level;
  onLevel(level: Level): void;
  table: { shown: boolean; toggle(): void };
  inferred: Inferred;
  layout: MapLayout | null;
  links: Links;
  onFound(calls: readonly MapCall[]): void;
  onShow(call: MapCall): void;
}

/** What the session has come to at this step, and the controls of its map. */
export function MapToolbar(props: MapToolbarProps) {
  const { map, at, level, onLevel, table, inferred, layout, links, onFound, onShow } = props;
  const t = useTranslations("graph.map");
  const all = useTranslations("graph");
  const goTo = useGoToFinding();
  const runs = map.runs_before + map.runs.filter(({ parent }) => parent === null).length;
  const statuses = useMemo(() => map.calls.flatMap((call) => (call.seq <= at ? [statusAt(call, at)] : [])), [map, at]);
  const failures = map.calls.filter(hasFailed).length + map.runs.filter(({ status }) => status === "failed").length;
  const shown = useRef<MapCall | null>(null);
  const showNext = (status: ShownCallStatus) => {
    const found = map.calls.filter((call) => call.seq <= at && statusAt(call, at) === status);
    const last = shown.current === null ? -1 : found.indexOf(shown.current);
    const next = found[(last + 1) % found.length];
    if (!next) return;
    shown.current = next;
    onShow(next);
  };
  const alerts = map.runs.some((run) => run.alerts.length > 0);
  return (
    <div className="pg-toolbar sm-toolbar">
      <h2>{t("title")}</h2>
      <span className="pg-count">
        {t("runs", { count: runs })} · {all("calls", { count: map.calls.length })}
      </span>
      <StatusCounts statuses={statuses} onPick={showNext} />
      <span className="grow" />
      {failures > 0 && (
        <Tooltip text={t("nextFailure")} shortcut={printedKey("nextFinding")}>
          <Button variant="ghost" aria-label={t("nextFailure")} onClick={() => goTo("error", 1)}>
            <Icon name="failed" size={14} className="text-st-failed" />
            <span className="sm-wide">{t("nextFailure")}</span>
          </Button>
        </Tooltip>
      )}
      {alerts && (
        <Tooltip text={t("nextAlert")} shortcut={printedKey("nextAlert")}>
          <Button variant="ghost" square aria-label={t("nextAlert")} onClick={() => goTo("alert", 1)}>
            <Icon name="escalated" size={14} className="text-st-escalated" />
          </Button>
        </Tooltip>
      )}
      {!table.shown && (
        <>
          <FindField search={(query) => matching(map, query)} onFound={onFound} show={onShow} />
          <Segmented
            label={t("level")}
            value={level}
            options={(["far", "near"] as const).map((value) => ({ value, label: t(value) }))}
            onChange={onLevel}
          />
        </>
      )}
      {(inferred.any || !inferred.shown) && (
        <Tool icon="inferred" label={all("inferred.switch")} pressed={inferred.shown} onClick={inferred.toggle} />
      )}
      <Tool icon="table" label={all("asTable")} pressed={table.shown} onClick={table.toggle} />
      <MapExport layout={layout} links={links} at={at} />
    </div>
  );
}

/** Calls by tool, id, parameters, result or error, or by the message that began their run. */
function matching({ calls, runs }: SessionMap, query: string): MapCall[] {
  const wanted = query.toLowerCase();
  const has = (text: string | null | undefined) => text?.toLowerCase().includes(wanted) ?? false;
  const said = new Set(runs.filter(({ words }) => has(words?.text)).map(({ id }) => id));
  return calls.filter(
    ({ tool, id, run_id, input, output, error }) =>
      [tool, id, error].some(has) ||
      [...(input?.parts ?? []), ...(output?.parts ?? [])].some(({ value }) => has(value)) ||
      said.has(run_id),
  );
}
