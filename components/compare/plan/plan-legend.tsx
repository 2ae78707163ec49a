"use client";

import { useTranslations } from "next-intl";
import type { PlanPair } from "@/lib/session/compare/plans.ts";

const KINDS = ["added", "changed", "removed"] as const;
const SIGNS = { added: "+", changed: "~", removed: "−" } as const;
const STANDING = { added: "b", changed: "changed", removed: "a" } as const;

/** What the marks of two plans laid over each other mean, and how many calls have each. */
export function PlanLegend({ pair }: { pair: PlanPair }) {
  const t = useTranslations("compare.plan.legend");
  if (!pair.a || !pair.b) return <p className="text-fg-2">{t(pair.a ? "onlyA" : "onlyB")}</p>;
  return (
    <>
      <ul className="flex min-w-0 items-center gap-x-4 overflow-hidden text-fg-2">
        {KINDS.map((kind) => (
          <li key={kind} className="flex flex-none items-center gap-1.5">
            <span className="pg-mark-sign" data-kind={kind} aria-hidden>
              {SIGNS[kind]}
            </span>
            {t(kind, { count: pair.calls.filter(({ standing }) => standing === STANDING[kind]).length })}
          </li>
        ))}
      </ul>
      <span className="min-w-0 truncate pl-4 text-fg-3 max-lg:hidden" title={t("status")}>
        {t("status")}
      </span>
    </>
  );
}
