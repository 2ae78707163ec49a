"use client";

import { useTranslations } from "next-intl";
import { Fragment } from "react";
import { FIELD } from "@/components/decision/form.tsx";
import { printExpression } from "@/lib/plan/reference.ts";
import type { OpenPlan } from "../use-plan.ts";

/** The chosen alternative of each call with several. */
export function BranchChoices({ plan: { read, branches, choose } }: { plan: OpenPlan }) {
  const t = useTranslations("playground.simulation");
  const branching = read.calls.filter(({ outputPath }) => (outputPath?.length ?? 0) > 1);
  if (branching.length === 0) return null;
  return (
    <fieldset className="max-h-[28%] flex-none overflow-y-auto border-line border-t px-3 py-1.5">
      <legend className="float-left w-full pb-1 font-semibold">{t("branches")}</legend>
      <div className="clear-left grid grid-cols-[minmax(64px,auto)_minmax(0,1fr)] items-center gap-x-2 gap-y-1">
        {branching.map(({ id, outputPath }) => (
          <Fragment key={id}>
            <label htmlFor={`branch-${id}`} className="truncate text-fg-2" title={id}>
              {id}
            </label>
            <select
              id={`branch-${id}`}
              className={`${FIELD} font-mono text-11`}
              value={branches[id] ?? 0}
              onChange={({ target }) => choose(id, Number(target.value))}
            >
              {outputPath?.map((fanOut, index) => (
                <option key={printExpression([fanOut])} value={index}>
                  {printExpression([fanOut])}
                </option>
              ))}
            </select>
          </Fragment>
        ))}
      </div>
    </fieldset>
  );
}
