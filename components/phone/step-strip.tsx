"use client";

import { useTranslations } from "next-intl";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";

/** Which step is shown, and the ways to others. */
export function StepStrip() {
  const t = useTranslations("timeline");
  const at = useStudio((state) => state.at);
  const last = useStudio((state) => state.last);
  const seek = useStudio((state) => state.seek);
  const step = useStudio((state) => state.step);
  return (
    <div className="flex h-13 items-center gap-1 border-line border-t bg-sunken pr-1 pl-4">
      <span className="flex-none text-fg-2 whitespace-nowrap tabular-nums">
        {t("step")} <b className="font-semibold text-accent">{at}</b> <span className="text-fg-3">/ {last}</span>
      </span>
      <input
        type="range"
        aria-label={t("label")}
        min={0}
        max={last}
        value={at}
        onChange={({ target }) => seek(target.valueAsNumber)}
        className="mx-2 h-11 min-w-0 flex-1 accent-accent"
      />
      <Button variant="ghost" square aria-label={t("previousStep")} onClick={() => step("step", -1)}>
        <Icon name="previous-step" />
      </Button>
      <Button variant="ghost" square aria-label={t("nextStep")} onClick={() => step("step", 1)}>
        <Icon name="next-step" />
      </Button>
    </div>
  );
}
