"use client";

import { useTranslations } from "next-intl";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { IconName } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";

/** In place of figures, where a period has nothing to count. */
export function NothingCounted({ icon }: { icon: IconName }) {
  const t = useTranslations("overview.empty");
  return (
    <EmptyState
      icon={icon}
      title={t("title")}
      actions={
        <Link href="/connect" className="act">
          {t("connect")}
        </Link>
      }
    >
      {t("text")}
    </EmptyState>
  );
}
