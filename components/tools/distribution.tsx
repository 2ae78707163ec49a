"use client";

import { useTranslations } from "next-intl";
import type { Place } from "@/components/overview/place.ts";
import { useWords } from "@/components/overview/use-words.ts";
import type { ToolReport } from "@/lib/api/shapes.ts";
import { Figures } from "./figures.tsx";

const HEIGHT = 100;

/** How long calls take, in steps of a logarithmic scale, over those of the period before. */
export function Distribution({ report, place }: { report: ToolReport; place: Place }) {
  const t = useTranslations("overview");
  const words = useWords();
  const { distribution, latency } = report;
  const sum = (part: "now" | "earlier") =>
    Math.max(
      1,
      distribution.reduce((all, step) => all + step[part], 0),
    );
  const [now, earlier] = [sum("now"), sum("earlier")];
  // Shares, because the periods may have different numbers of calls.
  const shares = distribution.map((step) => ({ now: step.now / now, earlier: step.earlier / earlier }));
  const highest = Math.max(0.01, ...shares.flatMap((share) => [share.now, share.earlier]));
  const y = (share: number) => Math.round((HEIGHT - (share / highest) * HEIGHT) * 100) / 100;
  const outline = (part: "now" | "earlier") => {
    const steps = shares.map((share, index) => `H${index}V${y(share[part])}`).join("");
    return `M0 ${HEIGHT}${steps}H${shares.length}V${HEIGHT}`;
  };
  const at = (ms: number) => {
    const index = distribution.findIndex(({ to }) => ms < to);
    const step = distribution[index];
    if (!step) return 100;
    const within = step.from <= 0 ? 0.5 : Math.log(ms / step.from) / Math.log(step.to / step.from);
    return ((index + Math.min(1, Math.max(0, within))) / distribution.length) * 100;
  };
  const ticks = (["p50", "p95", "p99"] as const).flatMap((name) => {
    const ms = latency[name];
    return ms === null ? [] : [{ name, ms, left: at(ms) }];
  });
  // Figures that read the same have one label: two would lie on each other.
  const labels = [...Map.groupBy(ticks, ({ ms }) => words.duration(ms))].map(([duration, alike]) => ({
    duration,
    left: alike[0]?.left ?? 0,
    names: alike.map(({ name }) => name).join(" · "),
  }));
  return (
    <section aria-labelledby="durations" className="tool-chart-box">
      <h2 id="durations">
        {t("tools.durations")}{" "}
        <span className="font-normal text-fg-3">{t("tools.log", { period: t(`periods.${place.period}`) })}</span>
      </h2>
      <div className="tool-plot">
        <svg
          aria-hidden
          viewBox={`0 0 ${Math.max(1, shares.length)} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="tool-chart"
        >
          {shares.length > 0 && (
            <>
              <path d={outline("now")} className="step-now" />
              <path d={outline("earlier")} className="lane-before" />
            </>
          )}
          <path d={`M0 ${HEIGHT}H${shares.length}`} className="lane-base" />
        </svg>
        {ticks.map(({ name, left }) => (
          <span key={name} aria-hidden className="step-tick" style={{ left: `${left}%` }} />
        ))}
      </div>
      <div aria-hidden className="step-axis">
        {labels.map(({ duration, left, names }, row) => (
          <span key={duration} style={{ left: `${left}%` }} data-row={row}>
            <b>{names}</b> {duration}
          </span>
        ))}
      </div>
      <Figures
        label={t("table")}
        head={[t("tools.took"), t("tools.calls"), t("before")]}
        rows={distribution.map((step) => [
          `${words.duration(step.from)} – ${words.duration(step.to)}`,
          ...[step.now, step.earlier].map(words.number),
        ])}
      />
    </section>
  );
}
