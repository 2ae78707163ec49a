"use client";

import { useTranslations } from "next-intl";
import { shownStatusOf } from "@/lib/session/summary/summary.ts";
import { isAtPast, useStudio } from "../use-studio.ts";

const BUTTON =
  "inline-flex h-6 phone:h-11 flex-none items-center rounded-2 border border-current px-2 font-medium hover:bg-surface hover:text-accent";

/** Shown at a past step: the current status, the shown step, and buttons to errors and to live. */
export function PastBar() {
  const t = useTranslations("studio.past");
  const words = useTranslations("events.conversation_status");
  const at = useStudio((state) => state.at);
  const last = useStudio((state) => state.last);
  const now = useStudio((state) => shownStatusOf(state.now));
  const then = useStudio(({ session }) => shownStatusOf(session.summary));
  const error = useStudio(({ timeline }) => timeline?.findLast((row) => row.error)?.seq ?? null);
  const jump = useStudio((state) => state.jump);
  const goLive = useStudio((state) => state.goLive);
  const isPast = useStudio(isAtPast);
  if (!isPast) return null;
  return (
    <section
      aria-label={t("title")}
      className="flex h-8.5 phone:h-13 flex-none items-center gap-2 bg-accent px-3 text-accent-fg whitespace-nowrap"
    >
      <strong className="min-w-0 truncate phone:line-clamp-2 phone:whitespace-normal font-semibold">
        {t("viewing", { now: words(now), step: at, last })}
      </strong>
      {then !== now && <span className="min-w-0 truncate narrow:hidden">{t("was", { status: words(then) })}</span>}
      <span className="flex-1" />
      {now === "failed" && error !== null && error !== at && (
        <button type="button" className={BUTTON} onClick={() => jump(error)}>
          {t("toError", { step: error })}
        </button>
      )}
      <button type="button" className={BUTTON} onClick={() => jump(goLive)}>
        <span className="phone:hidden">{t("toNow")}</span>
        <span className="hidden phone:inline">{t("toNowShort")}</span>
      </button>
    </section>
  );
}
