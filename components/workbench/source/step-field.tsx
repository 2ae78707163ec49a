"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import { parseCount } from "../place.ts";
import type { Fault } from "../render-request.ts";
import { FaultText, faultId } from "./fault-text.tsx";

interface StepFieldProps {
  /** Null for the newest. */
  at: number | null;
  last: number;
  faults: readonly Fault[];
  onChange: (at: number | null) => void;
}

/** The step of a conversation: a slider and a number field. */
export function StepField({ at, last, faults, onChange }: StepFieldProps) {
  const t = useTranslations("workbench.source");
  const wrong = faults.some(({ field }) => field === "at");
  const shown = at ?? last;
  return (
    <>
      <div className="mt-1.5 flex items-center gap-2">
        <span aria-hidden className="text-fg-3">
          {t("step")}
        </span>
        <input
          type="range"
          aria-label={t("slider")}
          aria-valuetext={t("stepOf", { at: shown, last })}
          min={0}
          max={last}
          value={Math.min(shown, last)}
          onChange={(event) => onChange(event.target.valueAsNumber)}
          className="h-6 min-w-20 flex-1 accent-(--accent)"
        />
        <input
          inputMode="numeric"
          aria-label={t("step")}
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? faultId("at") : undefined}
          autoComplete="off"
          placeholder={String(last)}
          value={at ?? ""}
          onChange={({ target: { value } }) => {
            const typed = parseCount(value);
            if (typed !== null || value === "") onChange(typed);
          }}
          className="h-[var(--control)] w-18 flex-none rounded-2 border border-line-control bg-surface px-2 text-right text-fg tabular-nums"
        />
        <span className="flex-none text-fg-3 tabular-nums">{t("of", { last })}</span>
        <Button variant="ghost" disabled={at === null} onClick={() => onChange(null)}>
          {t("newest")}
        </Button>
      </div>
      <FaultText field="at" faults={faults} last={last} />
    </>
  );
}
