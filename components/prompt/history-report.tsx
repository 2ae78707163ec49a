"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { Size } from "@/lib/prompt/prompt.ts";
import { MessageLine } from "./message-line.tsx";
import type { HistoryCut } from "./read-request.ts";
import { useFindMessage } from "./use-find-message.ts";

const MEASURES = ["messages", "characters", "tokens"] as const satisfies readonly (keyof Size)[];

/** How much of the history was sent, and what was truncated (H4, H6). */
export function HistoryReport({ history }: { history: HistoryCut }) {
  const t = useTranslations("prompt.history");
  if (!history.isCut)
    return (
      <p className="flex min-h-7.5 phone:min-h-11 items-center gap-1.5 border-line border-b px-3 py-1 text-11 text-fg-3">
        <Icon name="thread" size={14} />
        <Whole history={history} />
      </p>
    );
  const { before, after } = history;
  const [left, kept] = [before.messages ?? history.total, after.messages ?? history.shown];
  return (
    <details className="group border-line border-b">
      <summary className="flex min-h-8 list-none items-center gap-1.5 px-3 py-1 hover:bg-hover">
        <Icon name="right" size={12} className="text-fg-3 group-open:rotate-90" />
        <span className="font-semibold">{t("cut")}</span>
        <span className="flex-1" />
        <span className="text-11 text-fg-2 tabular-nums">
          {left !== null && kept !== null && t("kept", { kept, left })}
        </span>
      </summary>
      <div className="px-3 pb-2">
        <Sizes history={history} />
        <Messages title={t("leftOut", { count: history.leftOut.length })} ids={history.leftOut} />
        <Messages title={t("shortened", { count: history.shortened.length })} ids={history.shortened} />
        {(history.isBeside || history.goesOnFrom !== null) && (
          <p className="pt-1 text-11 text-fg-3 [overflow-wrap:anywhere]">
            <Beside history={history} />
          </p>
        )}
      </div>
    </details>
  );
}

/** One line when nothing was truncated. */
function Whole({ history }: { history: HistoryCut }) {
  const t = useTranslations("prompt.history");
  const { total, shown, after, before, goesOnFrom } = history;
  const count = shown ?? after.messages ?? total;
  const tokens = after.tokens ?? before.tokens;
  const of = goesOnFrom === null ? ({ none: "none", all: "all" } as const) : ({ none: "noneNew", all: "new" } as const);
  return (
    <span className="min-w-0 text-pretty tabular-nums [overflow-wrap:anywhere]">
      {count === null ? t("whole") : count === 0 ? t(of.none) : t(of.all, { count })}
      {count !== 0 && tokens !== undefined && t("tokens", { count: tokens })} <Beside history={history} />
    </span>
  );
}

/** A note that the history is sent separately, or that the request continues from a response. */
function Beside({ history: { isBeside, goesOnFrom } }: { history: HistoryCut }) {
  const t = useTranslations("prompt.history");
  if (goesOnFrom !== null) return t("goesOn", { response: goesOnFrom });
  return isBeside && t("beside");
}

/** Before, after, and the limit, by measure. */
function Sizes({ history: { before, after, limits } }: { history: HistoryCut }) {
  const t = useTranslations("prompt.history");
  const format = useFormatter();
  const told = MEASURES.filter((measure) => before[measure] !== undefined || after[measure] !== undefined);
  if (told.length === 0) return null;
  const hasLimits = told.some((measure) => limits[measure] !== undefined);
  const number = (value: number | undefined) => (value === undefined ? "–" : format.number(value));
  return (
    <table className="w-full text-11 tabular-nums">
      <thead>
        <tr className="text-right text-fg-3 [&_th]:font-normal">
          <td />
          <th scope="col">{t("before")}</th>
          <th scope="col">{t("after")}</th>
          {hasLimits && <th scope="col">{t("limit")}</th>}
        </tr>
      </thead>
      <tbody>
        {told.map((measure) => (
          <tr key={measure} className="h-5 text-right">
            <th scope="row" className="text-left font-normal text-fg-2">
              {t(`measure.${measure}`)}
            </th>
            <td className="text-fg-3">{number(before[measure])}</td>
            <td className="font-medium">{number(after[measure])}</td>
            {hasLimits && <td className="text-fg-3">{number(limits[measure])}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The messages shown at first and per "show more". */
const SHOWN = 6;
const MORE = 100;

function Messages({ title, ids }: { title: string; ids: readonly string[] }) {
  const t = useTranslations("prompt.history");
  const finder = useFindMessage();
  const [shown, setShown] = useState(SHOWN);
  if (ids.length === 0) return null;
  const listed = ids.slice(0, shown);
  const isAnyUnknown = listed.some((id) => finder.find(id) === null);
  return (
    <section aria-label={title} className="pt-1.5">
      <h4 className="text-11 text-fg-3">{title}</h4>
      <ul>
        {listed.map((id) => (
          <li key={id} className="flex min-h-6 min-w-0 items-center gap-1.5">
            <MessageLine id={id} message={finder.find(id)} quoted />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-1.5">
        {ids.length > shown && (
          <Button variant="ghost" className="-ml-1.5" onClick={() => setShown(shown + MORE)}>
            {t("more", { count: ids.length - shown })}
          </Button>
        )}
        {isAnyUnknown && finder.left > 0 && (
          <Button onClick={finder.load} disabled={finder.loading}>
            {t("find")}
          </Button>
        )}
      </div>
    </section>
  );
}
