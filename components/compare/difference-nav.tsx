"use client";

import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent } from "react";
import { isTyping } from "@/components/shell/is-typing.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";

interface DifferenceNavProps {
  count: number;
  onJump: (by: 1 | -1) => void;
}

/** How many differences there are, and the way from one to the next: N and P go there as well. */
export function DifferenceNav({ count, onJump }: DifferenceNavProps) {
  const t = useTranslations("compare");
  const onKey = useEffectEvent(onJump);
  // The outside system is the keyboard, page-wide; letters by their place on an English keyboard.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTyping(event) || event.shiftKey || (event.code !== "KeyN" && event.code !== "KeyP")) return;
      event.preventDefault();
      onKey(event.code === "KeyN" ? 1 : -1);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
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
        aria-keyshortcuts="p"
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
        aria-keyshortcuts="n"
        onClick={() => onJump(1)}
      >
        <Icon name="down" />
      </Button>
    </span>
  );
}
