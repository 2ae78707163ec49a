"use client";

import "./session-map.css";
import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { setParam } from "@/components/selection/set-params.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { useSize } from "@/components/timeline/chart/use-size.ts";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { SessionMap as Data, MapCall } from "@/lib/session/map/session-map.ts";
import { type Inferred, useInferred } from "../edge/use-inferred.ts";
import { useAsTable } from "../table/use-as-table.ts";
import { playheadY, stepIn } from "./at-step.ts";
import { createBandsReader, keyOf } from "./bands.ts";
import { createMapLayout, type Level, type MapLayout, SIZES } from "./layout.ts";
import { followValue, type Links, linksOf, type Source } from "./links.ts";
import { type MapActions, MapActionsContext } from "./map-actions.ts";
import { type Lit, MapBand } from "./map-band.tsx";
import { MapLegend } from "./map-legend.tsx";
import { MapRails } from "./map-rails.tsx";
import { MapStrip } from "./map-strip.tsx";
import { MapToolbar } from "./map-toolbar.tsx";
import { railsOf } from "./routes.ts";
import { useMapKeys } from "./use-map-keys.ts";
import { useMapSelection } from "./use-map-selection.ts";
import { useSessionMap } from "./use-session-map.ts";
import { ValueBar } from "./value-bar.tsx";
import { useMapViewport, useWheelLevel } from "./viewport.ts";

/** Rarely used, so loaded on demand. */
const MapTable = dynamic(() => import("./map-table.tsx").then((room) => room.MapTable), { loading: () => null });

const NOTHING: ReadonlySet<string> = new Set();
/** A map that is higher than this many panes is first shown from afar. */
const FAR_PANES = 6;
const LEVEL = "zoom";

/** The whole session on one canvas: runs as bands with their calls, and where values went (C4). */
export function SessionMap({ phone = false }: { phone?: boolean }) {
  const t = useTranslations("graph.map");
  const { map, until, failed, retry } = useSessionMap();
  const inferred = useInferred(map && { run: null, calls: map.calls.length });
  if (failed && !map)
    return (
      <div className="pg-empty">
        <EmptyState icon="unreachable" title={t("failed")} actions={<Button onClick={retry}>{t("retry")}</Button>} />
      </div>
    );
  // The values come with the first picture, so that nothing moves afterwards.
  if (!map || inferred.loading)
    return (
      <div className="pg-canvas">
        <p className="pg-loading" role="status">
          {t("loading")}
        </p>
      </div>
    );
  return <Drawn map={map} until={until} inferred={inferred} phone={phone} />;
}

interface DrawnProps {
  map: Data;
  until: number;
  inferred: Inferred;
  phone: boolean;
}

function Drawn({ map, until, inferred, phone }: DrawnProps) {
  const t = useTranslations("graph.map");
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const size = useSize(scroller);
  const table = useAsTable();
  const isTable = table.shown && !phone;
  const at = useStudio((state) => state.at);
  const last = useStudio((state) => state.last);
  const jump = useStudio((state) => state.jump);
  const [opened, setOpened] = useState(NOTHING);
  const [found, setFound] = useState(NOTHING);
  const [followed, setFollowed] = useState<Source | null>(null);

  const links = useMemo(() => linksOf(map, inferred.edges), [map, inferred.edges]);
  const width = size?.width ?? 0;
  const { layout, level } = useMapLayout({ map, until, opened, width, height: size?.height ?? 0, phone });
  const { key: selected, runId, selectCall, selectRun } = useMapSelection(map);
  const way = useMemo(() => followed && followValue(map, links, followed), [map, links, followed]);
  const lit = useMemo(() => way && litBy(way.source, way.uses), [way]);
  const isOpen = map.runs.some(({ ended_seq }) => ended_seq === null);
  const viewport = useMapViewport(scroller, layout, isOpen || phone ? "end" : "top");
  const keys = useMapKeys(content, layout, viewport.show);
  const setLevel = (next: Level) => setParam(LEVEL, next);
  useWheelLevel(scroller, (next) => phone || setLevel(next));
  const parked = useMemo(() => map.calls.find(({ status }) => status === "parked"), [map.calls]);
  useShowSelected(layout, selected ?? (parked ? keyOf(parked) : null), viewport.show);
  useShortcuts(followed === null ? {} : { close: () => setFollowed(null) });

  const actions = useMemo<MapActions>(
    () => ({
      selectCall,
      selectRun,
      toggleRow: (id) => setOpened((before) => flip(before, id)),
      follow: setFollowed,
    }),
    [selectCall, selectRun],
  );
  const callByKey = useMemo(() => new Map(map.calls.map((call) => [keyOf(call), call])), [map.calls]);
  const showKey = (key: string) => {
    const place = layout?.places.get(key);
    if (place) viewport.show(place);
  };
  return (
    <MapActionsContext value={actions}>
      {!phone && (
        <MapToolbar
          map={map}
          at={at}
          level={level}
          onLevel={setLevel}
          table={table}
          inferred={inferred}
          layout={layout}
          links={links}
          onFound={(calls) => setFound(new Set(calls.map(keyOf)))}
          onShow={(call) => showKey(keyOf(call))}
        />
      )}
      <div className="sm-pane" data-phone={phone || undefined}>
        {way && !isTable && (
          <ValueBar
            key={`${way.source.from ?? way.source.seq} ${way.source.value}`}
            way={way}
            calls={callByKey}
            onShow={showKey}
            onShowStep={jump}
            onClose={() => setFollowed(null)}
          />
        )}
        {isTable && <MapTable map={map} links={links} at={at} selected={selected} />}
        {/* Behind the table it stays, with its place. */}
        <div className="sm-view" hidden={isTable}>
          {/* biome-ignore lint/a11y/useSemanticElements: it is no group of fields */}
          <div
            ref={scroller}
            role="group"
            className="sm-scroll"
            aria-label={t("label")}
            tabIndex={0}
            onPointerDown={viewport.onPointerDown}
          >
            {map.runs_before > 0 && <p className="sm-before">{t("before", { count: map.runs_before })}</p>}
            {map.runs.length === 0 && <p className="sm-before">{t("empty")}</p>}
            {layout && (
              // biome-ignore lint/a11y/noStaticElementInteractions: it hears the arrow keys of the calls inside it
              <div
                ref={content}
                className="sm-content"
                style={{ height: layout.height }}
                data-lit={lit !== null || undefined}
                onKeyDown={keys.onKeyDown}
              >
                <Bands
                  {...{ layout, visible: viewport.visible, at, last, links, selected, runId, lit, found, phone }}
                  calls={map.calls}
                />
              </div>
            )}
          </div>
          {layout && size && !phone && (
            <MapStrip
              layout={layout}
              height={size.height}
              head={at < last ? playheadY(layout, at) : null}
              scroller={scroller}
              onScroll={viewport.onScroll}
            />
          )}
        </div>
        {!phone && !isTable && <MapLegend level={level} links={links} layout={layout} past={at < last} />}
      </div>
    </MapActionsContext>
  );
}

interface BandsProps {
  layout: MapLayout;
  calls: readonly MapCall[];
  visible: { top: number; bottom: number };
  at: number;
  last: number;
  links: Links;
  selected: string | null;
  runId: string | null;
  lit: Lit | null;
  found: ReadonlySet<string>;
  phone: boolean;
}

/** The bands in view, the lines between them, and the playhead. */
function Bands({ layout, calls, visible, at, last, links, selected, runId, lit, found, phone }: BandsProps) {
  const t = useTranslations("graph.map");
  const rails = useMemo(() => railsOf(layout, links, phone), [layout, links, phone]);
  const first = layout.tops.findLastIndex((top) => top <= visible.top);
  const tabStop = selected ?? (calls[0] ? keyOf(calls[0]) : null);
  const shown: ReactNode[] = [];
  for (let index = Math.max(0, first); index < layout.bands.length; index += 1) {
    const placed = layout.bands[index];
    const top = layout.tops[index] ?? 0;
    if (!placed || top > visible.bottom) break;
    const inBand = (key: string | null) => key !== null && layout.places.get(key)?.band === index;
    shown.push(
      <MapBand
        key={placed.band.run.id}
        placed={placed}
        top={top}
        level={layout.level}
        at={stepIn(placed, at)}
        links={links}
        selected={inBand(selected) ? selected : null}
        tabStop={inBand(tabStop) ? tabStop : null}
        isSelectedRun={runId === placed.band.run.id}
        lit={lit}
        found={found}
        phone={phone}
      />,
    );
  }
  const head = playheadY(layout, at);
  return (
    <>
      <div className="sm-gutter" aria-hidden="true" />
      {shown}
      <MapRails rails={rails} visible={visible} at={at} selected={selected} lit={lit} />
      {at < last && (
        <div className="sm-head-line" style={{ top: head }} role="img" aria-label={t("here", { step: at })}>
          <span>{at}</span>
        </div>
      )}
    </>
  );
}

interface Asked {
  map: Data;
  until: number;
  opened: ReadonlySet<string>;
  width: number;
  height: number;
  phone: boolean;
}

/** The layout at the level that the reader chose; a long session is first shown from afar. */
function useMapLayout({ map, until, opened, width, height, phone }: Asked): { layout: MapLayout | null; level: Level } {
  const chosen = useSearchParams().get(LEVEL);
  const [readBands] = useState(createBandsReader);
  const [layOut] = useState(createMapLayout);
  // On a phone there is room for each call.
  const grouped = phone ? 0 : until;
  const bands = useMemo(() => readBands(map, { until: grouped, opened }), [readBands, map, grouped, opened]);
  const [isLong, setIsLong] = useState<boolean | null>(null);
  if (isLong === null && height > 0) setIsLong(estimate(bands) > FAR_PANES * height);
  const level: Level = phone ? "near" : chosen === "far" || chosen === "near" ? chosen : isLong ? "far" : "near";
  const layout = useMemo(
    () => (width > 0 && isLong !== null ? layOut(bands, { level, width, phone }) : null),
    [layOut, bands, level, width, phone, isLong],
  );
  return { layout, level };
}

/** The height of the map seen from near, with three cards in a row. */
function estimate(bands: ReturnType<ReturnType<typeof createBandsReader>>): number {
  const row = SIZES.channel + SIZES.chips + SIZES.card.height + SIZES.foot;
  return bands.reduce((sum, { entries }) => sum + SIZES.header + Math.ceil(entries.length / 3) * row, 0);
}

/** Scrolls to the selected call, or to one that waits, when it changes, and when it is drawn at another level. */
function useShowSelected(
  layout: MapLayout | null,
  selected: string | null,
  show: (place: { y: number; height: number }) => void,
): void {
  const shown = useRef<string | null>(null);
  const place = selected === null ? undefined : layout?.places.get(selected);
  const level = layout?.level;
  useLayoutEffect(() => {
    const now = `${level} ${selected}`;
    if (shown.current === now) return;
    if (selected !== null && !place) return;
    shown.current = now;
    if (place) show(place);
  }, [level, selected, place, show]);
}

function litBy(source: Source, uses: readonly string[]): Lit {
  const id = `${source.from ?? source.seq} ${source.value}`;
  return { source: source.from, uses: new Set(uses), chips: new Set([id]) };
}

function flip(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id]);
}
