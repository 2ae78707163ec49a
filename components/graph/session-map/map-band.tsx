"use client";

import { useTranslations } from "next-intl";
import { memo, useMemo } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { STATUS } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { statusAt } from "./at-step.ts";
import { type Band, hasFailed, keyOf } from "./bands.ts";
import { type Level, type MarkGroup, type PlacedBand, type PlacedFrame, SIZES } from "./layout.ts";
import { chipsOf, type Links } from "./links.ts";
import { useMapActions } from "./map-actions.ts";
import { MapCard } from "./map-card.tsx";
import { MapChips } from "./map-chips.tsx";
import { innerLines } from "./routes.ts";
import { Strokes } from "./strokes.tsx";

/** A value that is followed: the calls on its way, and its chips. */
export interface Lit {
  source: string | null;
  uses: ReadonlySet<string>;
  chips: ReadonlySet<string>;
}

interface MapBandProps {
  placed: PlacedBand;
  top: number;
  level: Level;
  /** The step, as far as it concerns this band: see `stepIn`. */
  at: number;
  links: Links;
  /** The selected call; null if it is in another band. */
  selected: string | null;
  tabStop: string | null;
  isSelectedRun: boolean;
  lit: Lit | null;
  found: ReadonlySet<string>;
  phone: boolean;
}

/** A run: the message that began it, and its calls. */
export const MapBand = memo(function MapBand(props: MapBandProps) {
  const { placed, top, level, at, links, selected, tabStop, isSelectedRun, lit, found, phone } = props;
  const t = useTranslations("graph.map");
  const { band } = placed;
  const name = useRunName()(band);
  return (
    <section
      className="sm-band"
      style={{ top, height: placed.height }}
      aria-label={name}
      data-level={level}
      data-failed={band.failures > 0 || undefined}
      data-escalated={band.run.alerts.length > 0 || undefined}
      data-later={at < 0 || undefined}
      data-selected={isSelectedRun || undefined}
    >
      <Head band={band} name={name} level={level} isSelected={isSelectedRun} still={phone} />
      {placed.frames.map((frame) => (
        <Frame key={frame.entry.id} frame={frame} at={at} />
      ))}
      {placed.thens.map(({ id, x, y, width }) => (
        <span key={id} className="sm-then" style={{ left: x, top: y, width }} aria-hidden="true" />
      ))}
      {placed.brackets.map(({ id, x, y, width }) => (
        <span key={id} className="sm-bracket" style={{ left: x, top: y, width }}>
          <span>{t("parallel")}</span>
        </span>
      ))}
      {level === "near" && !phone && <Lines placed={placed} links={links} at={at} selected={selected} lit={lit} />}
      {placed.cards.map((card) => {
        const keys = card.entry.calls.map(keyOf);
        return (
          <Chips key={card.entry.id} card={card} links={links} lit={lit} phone={phone}>
            <MapCard
              placed={card}
              at={at}
              selected={selected !== null && keys.includes(selected)}
              tabStop={tabStop !== null && keys.includes(tabStop)}
              lit={roleIn(lit, keys)}
              found={keys.some((key) => found.has(key))}
            />
          </Chips>
        );
      })}
      {placed.marks.map((group) => (
        <Marks key={group.id} group={group} at={at} selected={selected} tabStop={tabStop} lit={lit} found={found} />
      ))}
    </section>
  );
});

/** `Run 5`, or that its calls belong to no run. */
export function useRunName(): (band: Band) => string {
  const t = useTranslations();
  return ({ run, number }) => (run.id === "" ? t("graph.map.outside") : t("studio.run.number", { number }));
}

function roleIn(lit: Lit | null, keys: readonly string[]): "source" | "use" | null {
  if (!lit) return null;
  if (keys.some((key) => key === lit.source)) return "source";
  return keys.some((key) => lit.uses.has(key)) ? "use" : null;
}

interface HeadProps {
  band: Band;
  name: string;
  level: Level;
  isSelected: boolean;
  /** Without small buttons. */
  still: boolean;
}

function Head({ band, name, level, isSelected, still }: HeadProps) {
  const t = useTranslations("graph.map");
  const all = useTranslations();
  const { selectRun, selectCall } = useMapActions();
  const { run, calls, failures, from, to } = band;
  const failed = calls.find(hasFailed);
  const words = run.words?.text ?? (run.status === "failed" ? (run.error ?? "") : "");
  return (
    <header className="sm-head">
      <h3>
        <button
          type="button"
          className="sm-run"
          aria-pressed={isSelected}
          title={run.words?.text}
          onClick={() => selectRun(run)}
        >
          <b>{level === "near" || run.id === "" ? name : band.number}</b>
          {words !== "" && <span className="sm-words">{all("timeline.quote", { text: words })}</span>}
        </button>
      </h3>
      <span className="sm-meta">
        {run.alerts.map(({ seq, text }) => (
          <span key={seq} className="sm-alert" title={t("alert", { step: seq, text })}>
            <StatusIcon status="escalated" size={14} label={t("escalated")} />
          </span>
        ))}
        {(run.status === "waiting" || run.status === "running") && (
          <StatusIcon status={run.status} size={14} label={all(`events.run_status.${run.status}`)} />
        )}
        <span className="sm-steps">
          {level === "far" ? `${from}–${to}` : from === to ? t("step", { from }) : t("steps", { from, to })}
        </span>
        <span className="sm-calls">
          {calls.length === 0 ? t("noCalls") : all("graph.calls", { count: calls.length })}
        </span>
        {failures > 0 &&
          (still ? (
            <span className="sm-failures" role="img" aria-label={t("failuresHere", { count: failures })}>
              <Icon name="failed" size={12} />
              {failures}
            </span>
          ) : (
            <button
              type="button"
              className="sm-failures"
              aria-label={t("failures", { count: failures })}
              title={failed?.error ?? run.error ?? undefined}
              onClick={() => (failed ? selectCall(failed) : selectRun(run))}
            >
              <Icon name="failed" size={12} />
              {failures}
            </button>
          ))}
      </span>
    </header>
  );
}

function Frame({ frame: { entry, x, y, width, height }, at }: { frame: PlacedFrame; at: number }) {
  const t = useTranslations("graph");
  const { toggleRow } = useMapActions();
  const { run, name, calls } = entry;
  const from = run?.started_seq ?? calls[0]?.seq ?? 0;
  return (
    <div
      className="sm-frame"
      data-row={run === null || undefined}
      data-failed={run?.status === "failed" || undefined}
      data-later={from > at || undefined}
      style={{ left: x, top: y, width, height }}
    >
      <span className="sm-frame-name">
        {run === null ? (
          <>
            <b>{name}</b> {t("map.times", { count: calls.length })} ·{" "}
            <button type="button" onClick={() => toggleRow(keyOfFirst(calls))}>
              {t("map.close")}
            </button>
          </>
        ) : (
          <>
            <Icon name="delegate" size={14} />
            <b>{name}</b> {t("map.delegateRun")} ·{" "}
            {calls.length === 0 ? t("map.noCalls") : t("calls", { count: calls.length })}
            {run.status === "failed" && <StatusIcon status="failed" size={12} label={run.error ?? undefined} />}
          </>
        )}
      </span>
    </div>
  );
}

function keyOfFirst([first]: PlacedFrame["entry"]["calls"]): string {
  return first ? keyOf(first) : "";
}

interface ChipsProps {
  card: PlacedBand["cards"][number];
  links: Links;
  lit: Lit | null;
  phone: boolean;
  children: React.ReactNode;
}

function Chips({ card, links, lit, phone, children }: ChipsProps) {
  const chips = useMemo(() => chipsOf(links, card.entry.calls), [links, card]);
  return (
    <>
      <MapChips placed={card} chips={chips} lit={lit?.chips ?? null} still={phone} />
      {children}
    </>
  );
}

interface LinesProps {
  placed: PlacedBand;
  links: Links;
  at: number;
  selected: string | null;
  lit: Lit | null;
}

/** The lines within a band. */
function Lines({ placed, links, at, selected, lit }: LinesProps) {
  const lines = useMemo(() => innerLines(placed, links), [placed, links]);
  const keysOf = useMemo(
    () =>
      new Map(placed.cards.map(({ entry }) => [entry.id, { keys: entry.calls.map(keyOf), seq: entry.calls[0].seq }])),
    [placed],
  );
  if (lines.length === 0) return null;
  const isOf = (id: string, test: (key: string) => boolean) => keysOf.get(id)?.keys.some(test) ?? false;
  const strokes = lines.map(({ from, to, points, declared }) => ({
    points,
    declared,
    later: (keysOf.get(to)?.seq ?? 0) > at,
    lit: lit
      ? isOf(from, (key) => key === lit.source) && isOf(to, (key) => lit.uses.has(key))
      : selected !== null && [from, to].some((end) => isOf(end, (key) => key === selected)),
    tip: true,
  }));
  return (
    <svg className="sm-lines" aria-hidden="true">
      <Strokes strokes={strokes} />
    </svg>
  );
}

interface MarksProps {
  group: MarkGroup;
  at: number;
  selected: string | null;
  tabStop: string | null;
  lit: Lit | null;
  found: ReadonlySet<string>;
}

/** Calls from afar: a mark each, equal neighbours under one label. */
function Marks({ group, at, selected, tabStop, lit, found }: MarksProps) {
  const t = useTranslations("graph.map");
  const words = useTranslations("events.call_status");
  const { selectCall } = useMapActions();
  const { calls, name, x, y, width, merged, labelled } = group;
  const failed = calls.some(hasFailed);
  return (
    <div className="sm-marks" style={{ left: x, top: y, width }} data-failed={failed || undefined}>
      {(merged ? calls.slice(0, 1) : calls).map((call, index) => {
        const key = keyOf(call);
        const keys = merged ? calls.map(keyOf) : [key];
        const status = statusAt(call, at);
        const label = `${call.tool}, ${words(status)}`;
        return (
          <button
            key={key}
            type="button"
            className="sm-mark"
            style={{ left: index * SIZES.far.step }}
            data-key={key}
            data-status={STATUS[status].token}
            data-nested={call.run_id !== calls[0]?.run_id || undefined}
            data-later={call.seq > at || undefined}
            data-selected={(selected !== null && keys.includes(selected)) || undefined}
            data-lit={roleIn(lit, keys) ?? undefined}
            data-found={keys.some((one) => found.has(one)) || undefined}
            data-merged={merged || undefined}
            tabIndex={tabStop !== null && keys.includes(tabStop) ? 0 : -1}
            aria-pressed={selected !== null && keys.includes(selected)}
            aria-label={merged ? `${label}, ${t("times", { count: calls.length })}` : label}
            title={call.error === null ? label : `${label}: ${call.error}`}
            onClick={() => selectCall(call)}
          >
            {merged ? calls.length : status === "failed" && <Icon name="close" size={12} />}
          </button>
        );
      })}
      {labelled && (
        <span className="sm-mark-name">
          {name}
          {calls.length > 1 && !merged && <> {t("times", { count: calls.length })}</>}
        </span>
      )}
    </div>
  );
}
