"use client";

import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";

interface ArrivedPillProps {
  count: number;
  /** Which end of the list they came to. */
  at: "start" | "end";
  onShow: () => void;
}

/** Tells that new items wait beyond what the reader sees, and goes there. */
export function ArrivedPill({ count, at, onShow }: ArrivedPillProps) {
  const t = useTranslations("approvals");
  return (
    <div
      role="status"
      className={`pointer-events-none absolute inset-x-0 z-2 flex justify-center ${at === "end" ? "bottom-3" : "top-3"}`}
    >
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="pointer-events-auto inline-flex h-7 items-center gap-1.5 rounded-full border border-line-strong bg-raised pr-3 pl-2 font-medium shadow-2 hover:bg-hover focus-visible:rounded-full"
        >
          <Icon name={at === "end" ? "down" : "up"} size={14} />
          {t("arrived", { count })}
        </button>
      )}
    </div>
  );
}
