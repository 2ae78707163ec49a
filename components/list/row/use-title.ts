"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { Conversation } from "@/lib/api/shapes.ts";

/** A conversation's name in the list: its title, first message, calls, or id. */
export function useTitle(): (conversation: Conversation) => string {
  const t = useTranslations("list");
  return useCallback(
    ({ id, title, subject, call_count }) =>
      title ?? subject ?? (call_count > 0 ? t("untitled", { count: call_count }) : id),
    [t],
  );
}
