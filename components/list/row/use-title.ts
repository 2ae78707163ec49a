"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { Conversation } from "@/lib/api/shapes.ts";

/** What the list calls a conversation: its title, what it began with, what it did, or its id. */
export function useTitle(): (conversation: Conversation) => string {
  const t = useTranslations("list");
  return useCallback(
    ({ id, title, subject, call_count }) =>
      title ?? subject ?? (call_count > 0 ? t("untitled", { count: call_count }) : id),
    [t],
  );
}
