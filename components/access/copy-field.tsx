"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { useCopy } from "@/components/ui/use-copy.ts";

interface CopyFieldProps {
  text: string;
  /** The field's label. */
  name: string;
}

/** A read-only text to copy: selected on focus, with a copy button. */
export function CopyField({ text, name }: CopyFieldProps) {
  const t = useTranslations("common");
  const [outcome, copy] = useCopy();
  return (
    <div className="flex items-start gap-1.5">
      <textarea
        readOnly
        rows={1}
        aria-label={name}
        value={text}
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
        className="field-sizing-content min-h-8 min-w-0 flex-1 resize-none rounded-2 border border-line-control bg-surface px-2 py-1.75 font-mono text-11 leading-4 text-fg wrap-anywhere"
      />
      <Button onClick={() => copy(text)} aria-label={`${t("copy")}: ${name}`} className="h-8! phone:h-11!">
        <Icon name={outcome === "copied" ? "check" : "copy"} size={14} />
        {outcome === "copied" ? t("copied") : t("copy")}
      </Button>
      <span role="status" className="sr-only">
        {outcome === "copied" ? t("copied") : ""}
      </span>
    </div>
  );
}
