"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { MapCall } from "@/lib/session/map/session-map.ts";
import { hasFailed, keyOf } from "./bands.ts";
import type { Way } from "./links.ts";

const MOST = 4;

interface ValueBarProps {
  way: Way;
  calls: ReadonlyMap<string, MapCall>;
  /** Shows a call on the map, without selecting it. */
  onShow(key: string): void;
  onShowStep(seq: number): void;
  onClose(): void;
}

/** A followed value in words: where it comes from, and which calls used it. */
export function ValueBar({ way: { source, uses }, calls, onShow, onShowStep, onClose }: ValueBarProps) {
  const t = useTranslations("graph.map.way");
  const [at, setAt] = useState(0);
  const from = calls.get(source.from ?? "");
  const used = uses.flatMap((key) => calls.get(key) ?? []);
  const stops = [...(from ? [from] : []), ...used];
  const go = (by: number) => {
    const next = (at + by + stops.length) % stops.length;
    setAt(next);
    const stop = stops[next];
    if (stop) onShow(keyOf(stop));
  };
  return (
    <section className="sm-way-bar" aria-label={t("label")}>
      <code className="sm-way-value">{source.value}</code>
      {from ? (
        <button type="button" className="sm-way-call" onClick={() => onShow(keyOf(from))}>
          <b>{from.tool}</b> {t("step", { step: from.ended_seq ?? from.seq })}
        </button>
      ) : (
        <button type="button" className="sm-way-call" onClick={() => source.seq !== null && onShowStep(source.seq)}>
          <Icon name="thread" size={14} /> {t("said", { step: source.seq ?? 0 })}
        </button>
      )}
      <span className="sm-way-uses">
        → {t(source.kind === "declared" ? "read" : "used", { count: used.length })}:{" "}
        {used.slice(0, MOST).map((call, index) => (
          <span key={keyOf(call)}>
            {index > 0 && ", "}
            <button
              type="button"
              className="sm-way-call"
              data-failed={hasFailed(call) || undefined}
              onClick={() => onShow(keyOf(call))}
            >
              <b>{call.tool}</b> {call.seq}
            </button>
          </span>
        ))}
        {used.length > MOST && ` +${used.length - MOST}`}
      </span>
      <span className="grow" />
      <Button variant="ghost" square aria-label={t("previous")} title={t("previous")} onClick={() => go(-1)}>
        <Icon name="left" size={14} />
      </Button>
      <span className="sm-way-at">{t("place", { at: at + 1, count: stops.length })}</span>
      <Button variant="ghost" square aria-label={t("next")} title={t("next")} onClick={() => go(1)}>
        <Icon name="right" size={14} />
      </Button>
      <Button variant="ghost" onClick={onClose}>
        {t("clear")}
      </Button>
    </section>
  );
}
