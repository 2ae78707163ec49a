"use client";

import type { KeyboardEvent, PointerEvent, ReactNode } from "react";
import { Link } from "@/components/ui/link.tsx";

interface MarkedChartProps {
  /** How many values the chart has, and which one is marked, or would be. */
  count: number;
  index: number;
  isMarked: boolean;
  onMark: (index: number | null) => void;
  /** What the value at `index` leads to, and what it is: when, how much, how much before, what opens. */
  href: string;
  at: string;
  text: string;
  before: string;
  opens: string;
  /** The chart. */
  children: ReactNode;
}

/** A chart that is one link, to what is under the pointer, or where ← and → lead. */
export function MarkedChart(props: MarkedChartProps) {
  const { count, index, isMarked, onMark, href, at, text, before, opens, children } = props;
  const mark = (wanted: number) => onMark(Math.max(0, Math.min(count - 1, wanted)));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    mark(index + step);
  };
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    mark(Math.floor(((clientX - left) / width) * count));
  };
  return (
    <div className="lane-chart">
      {children}
      <Link
        href={href}
        aria-label={`${at}: ${text}, ${before}`}
        className="absolute inset-0"
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => onMark(null)}
        onFocus={() => onMark(index)}
        onBlur={() => onMark(null)}
      />
      {isMarked && (
        <div aria-hidden className="lane-tip-at" style={{ left: `${((index + 0.5) / count) * 100}%` }}>
          <div className="lane-tip" data-side={index > count / 2 ? "left" : "right"}>
            <p>
              <b className="font-semibold">{text}</b> <span className="text-fg-3">{before}</span>
            </p>
            <p className="text-fg-3">
              {at}. {opens}
            </p>
          </div>
        </div>
      )}
    </div>
  );
}
