"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import type { JsonErrorKind } from "@/components/agents/entry/json-draft.ts";

interface PlanFieldProps {
  text: string;
  flaw: JsonErrorKind | undefined;
  onChange: (text: string) => void;
}

/** Styles of a JSON field. */
export const JSON_FIELD =
  "field-sizing-content block max-h-70 min-h-15 w-full resize-y overflow-auto rounded-2 border border-line-control bg-surface px-2.5 py-1.5 font-mono text-11 leading-5 whitespace-pre aria-invalid:border-st-failed";

/** The plan of the step for editing, closed at first, as most forks keep it. */
export function PlanField({ text, flaw, onChange }: PlanFieldProps) {
  const t = useTranslations("fork.plan");
  const id = useId();
  return (
    <details open={flaw !== undefined || undefined}>
      <summary className="cursor-pointer font-medium">{t(text === "" ? "none" : "title")}</summary>
      <p className="mt-1 text-pretty text-fg-3">{t("note")}</p>
      <textarea
        aria-label={t("field")}
        aria-invalid={flaw !== undefined || undefined}
        aria-describedby={flaw ? id : undefined}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        value={text}
        onChange={({ target }) => onChange(target.value)}
        className={`${JSON_FIELD} mt-1.5`}
      />
      {flaw && (
        <p id={id} role="alert" className="mt-1 text-st-failed">
          {t(flaw === "number" ? "inexact" : "flawed")}
        </p>
      )}
    </details>
  );
}
