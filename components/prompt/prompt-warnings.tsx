"use client";

import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import type { PromptWarning } from "@/lib/prompt/prompt.ts";
import type { ReplacedPart } from "./prompt-marks.ts";

interface PromptWarningsProps {
  warnings: readonly PromptWarning[];
  /** The prompt's parts, if known: they have the defaults of missing data. */
  parts?: readonly ReplacedPart[];
  /** Goes to a placeholder. */
  onPick?: (placeholder: string) => void;
}

type Words = PromptWarning["code"] | "default";

/** What a prompt lacks (H6), one line per kind; nothing without warnings. */
export function PromptWarnings({ warnings, parts = [], onPick }: PromptWarningsProps) {
  const t = useTranslations("prompt.warning");
  if (warnings.length === 0) return null;
  const groups = Map.groupBy(warnings, (warning) => wordsOf(warning, parts));
  return (
    <section aria-label={t("title")} className="bg-st-waiting-bg px-3 py-1.5">
      <ul>
        {[...groups].map(([words, group]) => (
          <li key={words} className="flex gap-1.5 py-0.5">
            <Icon name="warn" size={14} className="mt-0.25 text-st-waiting" />
            <span className="min-w-0 text-pretty wrap-anywhere">
              {t.rich(words, { count: group.length, names: () => <Names warnings={group} onPick={onPick} /> })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Names({ warnings, onPick }: Pick<PromptWarningsProps, "warnings" | "onPick">) {
  return warnings.map(({ placeholder, detail }, index) => {
    const name = <code className="font-mono text-11" title={detail}>{`{{${placeholder}}}`}</code>;
    return (
      <span key={placeholder}>
        {index > 0 && ", "}
        {onPick ? (
          <button
            type="button"
            onClick={() => onPick(placeholder)}
            className="rounded-1 text-left underline decoration-line-control underline-offset-3 hover:decoration-fg"
          >
            {name}
          </button>
        ) : (
          name
        )}
      </span>
    );
  });
}

/** A missing value may have a default. */
function wordsOf({ code, placeholder }: PromptWarning, parts: readonly ReplacedPart[]): Words {
  const hasDefault = parts.some((part) => part.placeholder === placeholder && part.origin === "default");
  return code === "missing" && hasDefault ? "default" : code;
}
