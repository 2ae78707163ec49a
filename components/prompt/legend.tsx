"use client";

import { useTranslations } from "next-intl";
import { originsOf, type ShownOrigin, shownOrigin } from "./origins.ts";
import type { Mark } from "./prompt-marks.ts";

interface LegendProps {
  marks: readonly Mark[];
  /** A mark to go to. */
  onPick: (mark: number) => void;
}

/** The origins in a prompt, each the way to its parts. */
export function Legend({ marks, onPick }: LegendProps) {
  const t = useTranslations("prompt");
  const origins = originsOf(marks.map(({ part }) => part));
  return (
    <ul aria-label={t("legend")} className="flex flex-wrap px-2.25 pt-0.5">
      {origins.map((origin) => (
        <li key={origin}>
          <button
            type="button"
            title={t("goTo")}
            onClick={() => onPick(firstOf(marks, origin))}
            className="inline-flex min-h-6 items-center rounded-1 px-0.75 hover:bg-hover"
          >
            <span className={`prompt-label origin-${origin}`}>{t(`origin.${origin}`)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function firstOf(marks: readonly Mark[], origin: ShownOrigin): number {
  return marks.findIndex(({ part, isStop }) => isStop && shownOrigin(part.origin) === origin);
}
