"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { isEventType } from "@/lib/session/kinds.ts";

/** Names an event's type in the reader's language; a type that the catalogue does not know by itself. */
export function useEventName(): (type: string) => string {
  const t = useTranslations("events");
  return useCallback((type) => (isEventType(type) ? t(`type.${type}`) : type), [t]);
}
