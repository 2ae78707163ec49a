"use client";

import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import type { StateFind } from "./use-state-find.ts";

/**
 * Searches keys and values of the state: Enter goes to the next match, Shift+Enter to the previous one, Escape closes.
 */
export function StateFindBox({ find }: { find: StateFind }) {
  const t = useTranslations("inspector.find");
  return (
    <search className="flex min-w-0 flex-1 items-center gap-1">
      <Icon name="search" size={14} className="flex-none text-fg-3" />
      <input
        ref={(input) => input?.focus()}
        type="search"
        value={find.text}
        onChange={(event) => find.look(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") find.close();
          else if (event.key === "Enter") find.go(event.shiftKey ? -1 : 1);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
        aria-label={t("label")}
        placeholder={t("placeholder")}
        className="h-6 min-w-0 flex-1 bg-transparent text-12 text-fg outline-none placeholder:text-fg-3 [&::-webkit-search-cancel-button]:hidden"
      />
      <output className="flex-none text-11 text-fg-3 tabular-nums">
        {find.text.trim() !== "" &&
          (find.count === 0 ? t("none") : t("place", { place: find.place, count: find.count }))}
      </output>
      <Step name={t("previous")} icon="up" disabled={find.count === 0} onClick={() => find.go(-1)} />
      <Step name={t("next")} icon="down" disabled={find.count === 0} onClick={() => find.go(1)} />
      <Step name={t("close")} icon="close" onClick={find.close} />
    </search>
  );
}

interface StepProps {
  name: string;
  icon: "up" | "down" | "close";
  disabled?: boolean;
  onClick: () => void;
}

function Step({ name, icon, disabled, onClick }: StepProps) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      disabled={disabled}
      onClick={onClick}
      className="inline-flex size-6 flex-none items-center justify-center rounded-1 text-fg-2 enabled:hover:bg-active enabled:hover:text-fg disabled:text-fg-off"
    >
      <Icon name={icon === "up" ? "down" : icon} size={12} className={icon === "up" ? "rotate-180" : ""} />
    </button>
  );
}
