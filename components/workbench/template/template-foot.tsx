"use client";

import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import { useCopy } from "@/components/ui/use-copy.ts";
import { charactersOf } from "@/lib/prompt/tokens.ts";
import type { useWorkbench } from "../use-workbench.ts";

interface TemplateFootProps {
  bench: ReturnType<typeof useWorkbench>;
}

/** How long the template is, where it is kept, and its link. */
export function TemplateFoot({ bench: { template, kept, place, address } }: TemplateFootProps) {
  const t = useTranslations("workbench.foot");
  const [outcome, copy] = useCopy();
  const shown = kept === "origin" && place.agent === null ? "starter" : kept;
  const share = () => copy(window.location.origin + window.location.pathname + address);
  const risky = kept === "tab" || kept === "nowhere";
  return (
    <div
      id="template-foot"
      className="flex min-h-7 flex-none flex-wrap items-center gap-x-3 border-line border-t bg-canvas py-0.5 pr-1.5 pl-3 text-11 text-fg-3"
    >
      <span className="tabular-nums">{t("characters", { count: charactersOf(template) })}</span>
      <span className={`min-w-0 flex-1 text-pretty ${risky ? "text-st-waiting" : ""}`}>{t(`kept.${shown}`)}</span>
      <button
        type="button"
        onClick={() => void share()}
        className="inline-flex min-h-6 flex-none items-center gap-1 rounded-1 px-1 font-medium text-fg-2 hover:bg-hover hover:text-fg"
      >
        <Icon name={outcome === "copied" ? "check" : "share"} size={14} />
        <span role="status">{outcome ? t(outcome) : t("share")}</span>
      </button>
    </div>
  );
}
