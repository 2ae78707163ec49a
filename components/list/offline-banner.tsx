"use client";

import { useTranslations } from "next-intl";
import { useConnection } from "@/components/client/use-connection.ts";
import { Icon } from "@/components/ui/icon.tsx";

/** A banner that the page may be stale while the server is unreachable. */
export function OfflineBanner() {
  const t = useTranslations("list");
  if (useConnection() !== "offline") return null;
  return (
    <p role="alert" className="flex items-center gap-2 border-line border-b bg-st-failed-bg px-3 py-2 text-st-failed">
      <Icon name="unreachable" />
      {t("offline")}
    </p>
  );
}
