"use client";

import { useTranslations } from "next-intl";
import { printedKey } from "@/components/keys/shortcuts.ts";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";

interface DifferenceNavProps {
  count: number;
  onJump: (by: 1 | -1) => void;
}

/** The number of differences, with previous and next buttons. */
export function DifferenceNav({ count, onJump }: DifferenceNavProps) {
  const t = useTranslations("compare");
  useShortcuts({ nextFinding: () => onJump(1), previousFinding: () => onJump(-1) });
  return (
    <span className="flex items-center gap-1.5">
      <span role="status" className="text-fg-2 tabular-nums">
        {t("differences", { count })}
      </span>
      <Button
        square
        variant="ghost"
        disabled={count === 0}
        aria-label={t("previous")}
        title={t("previous")}
        aria-keyshortcuts={printedKey("previousFinding")}
        onClick={() => onJump(-1)}
      >
        <Icon name="up" />
      </Button>
      <Button
        square
        variant="ghost"
        disabled={count === 0}
        aria-label={t("next")}
        title={t("next")}
        aria-keyshortcuts={printedKey("nextFinding")}
        onClick={() => onJump(1)}
      >
        <Icon name="down" />
      </Button>
    </span>
  );
}
