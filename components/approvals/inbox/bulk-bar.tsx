"use client";

import { useTranslations } from "next-intl";
import { printedKey } from "@/components/keys/shortcuts.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";

interface BulkBarProps {
  count: number;
  onDecide: (decision: "approve" | "deny") => void;
  onClear: () => void;
}

/** Actions for all selected approvals; replaces the actions for one. */
export function BulkBar({ count, onDecide, onClear }: BulkBarProps) {
  const t = useTranslations("approvals");
  return (
    <section
      aria-label={t("bulk.label")}
      className="row-start-3 flex flex-wrap items-center gap-2 border-line-strong border-t bg-accent-soft px-3 py-2.5"
    >
      <b className="mr-2 font-semibold tabular-nums">{t("marked", { count })}</b>
      <Button
        variant="primary"
        aria-keyshortcuts={printedKey("approve")}
        onClick={() => onDecide("approve")}
        className="h-8! phone:h-11! px-3!"
      >
        {t("bulk.approve", { count })}
        <Kbd className="border-current! bg-transparent! text-inherit!">{printedKey("approve")}</Kbd>
      </Button>
      <Button
        variant="danger"
        aria-keyshortcuts={printedKey("deny")}
        onClick={() => onDecide("deny")}
        className="h-8! phone:h-11! px-3!"
      >
        <Icon name="denied" size={14} />
        {t("bulk.deny", { count })}
        <Kbd>{printedKey("deny")}</Kbd>
      </Button>
      <span className="flex-1" />
      <Button variant="ghost" aria-keyshortcuts="Escape" onClick={onClear} className="h-8! phone:h-11!">
        {t("bulk.clear")}
        <Kbd>Esc</Kbd>
      </Button>
    </section>
  );
}
