"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import type { OpenPlan } from "../use-plan.ts";
import type { PlacedProblem } from "./place-problems.ts";
import { useProblemWords } from "./use-problem-words.ts";

/** The most problems that are listed. */
const SHOWN = 100;

interface ProblemListProps {
  plan: OpenPlan;
  /** Goes to the problem's range. */
  onPick: (problem: PlacedProblem) => void;
}

/** All problems of the texts; selecting one goes to its range. */
export function ProblemList({ plan: { problems, check, read, request }, onPick }: ProblemListProps) {
  const t = useTranslations("playground.problems");
  const [open, setOpen] = useState(true);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  const isFine = problems.length === 0 && check.check?.ok === true;
  const isEmpty = request !== null && read.calls.length === 0;
  return (
    <section aria-label={t("title")} className="flex max-h-[40%] flex-none flex-col border-line border-t">
      <button
        type="button"
        aria-expanded={open && problems.length > 0}
        disabled={problems.length === 0}
        onClick={() => setOpen(!open)}
        className="flex min-h-7 flex-none items-center gap-2 px-3 text-left enabled:hover:bg-hover"
      >
        <h2 className="font-semibold">{t("title")}</h2>
        <span role="status" className="flex min-w-0 items-center gap-2 truncate text-11 text-fg-3">
          {errors > 0 && <span className="text-st-failed">{t("errors", { count: errors })}</span>}
          {warnings > 0 && <span className="text-st-waiting">{t("warnings", { count: warnings })}</span>}
          {isFine && !isEmpty && <span>{t("none")}</span>}
          {check.failure ? t("unreachable") : check.isStale && request !== null && !isEmpty && t("checking")}
        </span>
        {problems.length > 0 && <Icon name={open ? "down" : "up"} size={12} className="ml-auto text-fg-3" />}
      </button>
      {open && problems.length > 0 && (
        <ul className="min-h-0 overflow-y-auto border-line border-t pb-1">
          {problems.slice(0, SHOWN).map((problem, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a list as a whole is replaced by the next
            <li key={index}>
              <ProblemRow problem={problem} onPick={onPick} />
            </li>
          ))}
          {problems.length > SHOWN && (
            <li className="px-3 py-1 text-fg-3">{t("more", { count: problems.length - SHOWN })}</li>
          )}
        </ul>
      )}
    </section>
  );
}

function ProblemRow({ problem, onPick }: { problem: PlacedProblem; onPick: ProblemListProps["onPick"] }) {
  const t = useTranslations("playground");
  const words = useProblemWords()(problem);
  const { severity, call, document, path } = problem;
  return (
    <button type="button" className="pl-problem" onClick={() => onPick(problem)}>
      <Icon
        name={severity === "error" ? "failed" : "warn"}
        size={14}
        label={t(`problems.${severity}`)}
        className={`mt-px ${severity === "error" ? "text-st-failed" : "text-st-waiting"}`}
      />
      <span className="min-w-0 flex-1">
        <span className="block font-medium wrap-anywhere">
          {call ?? t(`documents.${document}`)} · {words.name}
          {path !== "" && <code className="ml-1.5 font-mono text-10 font-normal text-fg-3">{path}</code>}
        </span>
        <span className="block text-pretty text-fg-2 wrap-anywhere">{words.sentence}</span>
      </span>
    </button>
  );
}
