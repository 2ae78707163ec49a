"use client";

import { useTranslations } from "next-intl";
import { PathPill } from "@/components/ui/path-pill.tsx";
import type { PlanCall } from "@/lib/plan/call.ts";
import { printExpression, printPath } from "@/lib/plan/reference.ts";
import type { Call } from "@/lib/session/session.ts";
import { CitedTree } from "../cited-tree.tsx";
import { Part } from "../part.tsx";

/** What a call was given: its values, and beside each the reference that it was read from. */
export function CallInput({ call, planned }: { call: Call; planned: PlanCall | null }) {
  const t = useTranslations("inspector.call");
  const references = new Map(
    planned?.reads.map(({ parameter, expression }) => [printPath(parameter), printExpression(expression)]),
  );
  const value = call.params ?? planned?.parameters ?? null;
  return (
    <Part title={t("input")} aside={call.params === null && value !== null ? t("asPlanned") : null}>
      {value === null ? (
        <p className="text-fg-3">{t("noInput")}</p>
      ) : (
        <CitedTree
          label={t("input")}
          value={value}
          asideOf={(row) => {
            const reference = call.params === null ? undefined : references.get(row.id);
            return reference && <PathPill path={reference} />;
          }}
        />
      )}
    </Part>
  );
}
