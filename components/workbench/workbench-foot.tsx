"use client";

import { useTranslations } from "next-intl";
import type { KeyGroup } from "@/components/shell/keyboard-help.tsx";
import { KeysFoot } from "@/components/shell/keys-foot.tsx";

/** The keys of the page. */
export function WorkbenchFoot() {
  const t = useTranslations("workbench");
  const keys: KeyGroup["keys"] = [
    { keys: ["E"], does: t("keys.template") },
    { keys: ["/"], does: t("keys.search") },
  ];
  return (
    <KeysFoot
      brief={keys}
      groups={[{ title: t("title"), keys: [...keys, { keys: ["←", "→"], does: t("keys.placeholder") }] }]}
    />
  );
}
