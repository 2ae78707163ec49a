"use client";

import { useTranslations } from "next-intl";
import { Icon, type IconName } from "@/components/ui/icon.tsx";
import { useCopy } from "@/components/ui/use-copy.ts";

interface CopyButtonProps {
  /** Returns the text to copy. */
  text: () => string;
  label: string;
  icon?: IconName;
  /** Shows the label beside the icon. */
  worded?: boolean;
  tabIndex?: number;
}

/** Copies a text and confirms it. */
export function CopyButton({ text, label, icon = "copy", worded = false, tabIndex }: CopyButtonProps) {
  const t = useTranslations("inspector");
  const [outcome, copy] = useCopy();
  return (
    <button
      type="button"
      title={label}
      aria-label={worded ? undefined : label}
      tabIndex={tabIndex}
      onClick={(event) => {
        event.stopPropagation();
        void copy(text());
      }}
      className="inline-flex min-h-5 min-w-5 items-center justify-center gap-1 rounded-1 px-0.5 text-fg-3 hover:bg-active hover:text-fg"
    >
      <Icon name={outcome === "copied" ? "check" : icon} size={12} />
      {worded && <span className="text-11">{outcome ? t(outcome) : label}</span>}
      <span role="status" className="sr-only">
        {outcome ? t(outcome) : ""}
      </span>
    </button>
  );
}
