"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import type { JsonFlaw } from "./json-draft.ts";

interface JsonFieldProps {
  text: string;
  flaw: JsonFlaw | null;
  onChange: (text: string) => void;
}

/** Line numbers are left out for longer texts: they would slow typing down. */
const NUMBERED = 5_000;

/** A textarea for JSON with line numbers; the line with an error is marked. */
export function JsonField({ text, flaw, onChange }: JsonFieldProps) {
  const t = useTranslations("agents.editor");
  const id = useId();
  const lines = Math.min(text.split("\n").length, NUMBERED);
  return (
    <div className="min-h-0 flex-1 overflow-auto bg-surface -outline-offset-2 outline-accent has-focus-visible:outline-2">
      <div className="flex min-h-full w-max min-w-full font-mono text-11 leading-5">
        <div
          aria-hidden
          className="sticky left-0 flex-none border-line border-r bg-canvas py-2 text-right text-fg-3 tabular-nums select-none"
        >
          {Array.from({ length: lines }, (_, index) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its number
              key={index}
              className={`min-w-10 px-2 ${flaw?.line === index + 1 ? "bg-del-bg font-semibold text-del" : ""}`}
            >
              {index + 1}
            </div>
          ))}
        </div>
        <textarea
          id={id}
          aria-label={t("field")}
          aria-invalid={flaw !== null || undefined}
          aria-describedby={flaw ? "json-flaw" : undefined}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          wrap="off"
          value={text}
          onChange={(event) => onChange(event.target.value)}
          className="field-sizing-content block min-w-60 flex-1 resize-none overflow-hidden bg-surface px-3 py-2 whitespace-pre text-fg outline-none focus-visible:shadow-none"
        />
      </div>
    </div>
  );
}
