"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { isEventType } from "@/lib/session/events/kinds.ts";

/** An event type's name; the type itself if it is unknown. */
export function useEventName(): (type: string) => string {
  const t = useTranslations("events");
  return useCallback((type) => (isEventType(type) ? t(`type.${type}`) : type), [t]);
}
