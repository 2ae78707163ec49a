"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { LocalizedText, TextValue } from "@/lib/plan/localized-text.ts";

type Translate = ReturnType<typeof useTranslations<"problems">>;
type MessageId = Parameters<Translate["has"]>[0];

/** A problem's sentence in the reader's language; as it was recorded where it has no known message id. */
export function useProblemText(): (text: LocalizedText) => string {
  const t = useTranslations("problems");
  return useCallback((text) => formatText(text, t), [t]);
}

export function formatText({ message, message_id, values = [] }: LocalizedText, t: Translate): string {
  const texts: { has(id: string): boolean } = t;
  const isKnown = (id: string | undefined): id is MessageId => id !== undefined && texts.has(id);
  if (!isKnown(message_id)) return message;
  const formatted = (value: TextValue) => (typeof value === "object" ? formatText(value, t) : value);
  return t(message_id, Object.fromEntries(values.map((value, index) => [String(index), formatted(value)])));
}
