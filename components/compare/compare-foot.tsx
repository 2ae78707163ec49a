"use client";

import { useTranslations } from "next-intl";
import type { KeyGroup } from "@/components/shell/keyboard-help.tsx";
import { KeysFoot } from "@/components/shell/keys-foot.tsx";

/** The keys of the page. */
export function CompareFoot() {
  const t = useTranslations("compare");
  const keys: KeyGroup["keys"] = [
    { keys: ["N"], does: t("next") },
    { keys: ["P"], does: t("previous") },
  ];
  return (
    <KeysFoot
      brief={keys}
      groups={[{ title: t("title"), keys: [...keys, { keys: ["←", "→"], does: t("keysTab") }] }]}
    />
  );
}
