"use client";

import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";

interface MemoryCheckProps {
  warnings: readonly string[];
  /** The list is expanded; else one line has its length. */
  open: boolean;
}

/** Warnings of the memory's self-check (M10). */
export function MemoryCheck({ warnings, open }: MemoryCheckProps) {
  const t = useTranslations("thread");
  return (
    <details open={open} className="group text-fg-3">
      <summary className="flex min-h-6 w-fit list-none items-center gap-1.5 rounded-1 pr-1 text-11 hover:text-fg">
        <Icon name="warn" size={12} className="text-st-waiting" />
        {t("memoryCheck", { count: warnings.length })}
        <Icon name="right" size={12} className="group-open:rotate-90" />
      </summary>
      <ul className="mb-0.5 flex list-disc flex-col gap-0.5 pl-4.5 marker:text-line-control">
        {warnings.map((warning) => (
          <li key={warning} className="text-pretty wrap-anywhere">
            {warning}
          </li>
        ))}
      </ul>
    </details>
  );
}
