"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

const TIP = <path className="pg-tip" d="M45 6.5l-7-3.6v7.2z" />;
const LINE = <path className="pg-line-path" d="M8 6.5H38" />;

/** Each kind of edge with its two ends. */
const EDGES = [
  ["data", "done", false, <circle key="port" className="pg-port" data-state="done" cx="4" cy="6.5" r="3" />, LINE, TIP],
  [
    "branchTaken",
    "done",
    false,
    <path key="port" className="pg-port" data-state="done" data-full="true" d="M5 1.5l5 5-5 5-5-5z" />,
    LINE,
    TIP,
  ],
  [
    "branchNotTaken",
    "off",
    false,
    <path key="port" className="pg-port" data-state="off" d="M5 1.5l5 5-5 5-5-5z" />,
    LINE,
    TIP,
  ],
  [
    "fanOut",
    "done",
    false,
    <rect key="port" className="pg-port pg-port-bar" data-state="done" x="1" y="1" width="4.5" height="11" rx="1" />,
    <Rail key="rail" />,
    TIP,
  ],
  [
    "gate",
    "done",
    false,
    null,
    <path key="line" className="pg-line-path" d="M0 6.5H33" />,
    <AtBar key="bar" kind="gate" />,
  ],
  [
    "fallback",
    "idle",
    true,
    null,
    <path key="line" className="pg-line-path" d="M0 6.5H33" />,
    <AtBar key="bar" kind="fallback" />,
  ],
  [
    "cut",
    "cut",
    false,
    <circle key="port" className="pg-port" data-state="off" cx="4" cy="6.5" r="3" />,
    LINE,
    <g key="cut">
      <path className="pg-cut-bar" d="M29 1.5v10" />
      {TIP}
    </g>,
  ],
] as const satisfies [string, string, boolean, ReactNode, ReactNode, ReactNode][];

interface LegendProps {
  /** Recorded calls, in rows. */
  recorded: boolean;
  /** There are inferred edges. */
  inferred: boolean;
}

/** The meaning of lines and signs in the graph. */
export function Legend({ recorded, inferred }: LegendProps) {
  const t = useTranslations("graph.legend");
  if (recorded && !inferred) return <p className="pg-float pg-legend-note">{t("recorded")}</p>;
  // Recorded calls have no branches or gates.
  const edges = inferred ? EDGES.slice(0, 1) : EDGES;
  return (
    <dl className="pg-float pg-legend">
      {inferred && (
        <div>
          <dt>
            <svg viewBox="0 0 46 13" aria-hidden="true" className="pg-inferred">
              <path className="pg-line-path" d="M2 6.5H38" />
              {TIP}
            </svg>
          </dt>
          <dd>{t("inferred")}</dd>
        </div>
      )}
      {edges.map(([name, state, fallback, port, line, end]) => (
        <div key={name}>
          <dt>
            <svg
              viewBox="0 0 46 13"
              aria-hidden="true"
              className="pg-trace"
              data-state={state}
              data-fallback={fallback || undefined}
              data-rail={name === "fanOut" || undefined}
            >
              {line}
              {port}
              {end}
            </svg>
          </dt>
          <dd>{t(name)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Rail() {
  return (
    <>
      {LINE}
      <path className="pg-rail-core" d="M8 6.5H38" />
    </>
  );
}

function AtBar({ kind }: { kind: "gate" | "fallback" }) {
  return (
    <>
      <path className="pg-tip" d="M40 6.5l-7-3.6v7.2z" />
      <rect className={`pg-legend-${kind}`} x="41.5" y="0.5" width="3.5" height="12" rx={kind === "gate" ? 1 : 1.75} />
    </>
  );
}
