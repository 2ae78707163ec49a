"use client";

import dynamic from "next/dynamic";
import type { Locale } from "next-intl";
import type { ComponentType, ReactNode } from "react";

interface I18nProviderProps {
  locale: Locale;
  children: ReactNode;
}

/** Each language is a script that browsers cache. Written into every page, it was half of it and of the server's time for it. */
const LANGUAGES: Record<Locale, ComponentType<{ children: ReactNode }>> = {
  en: dynamic(() => import("./english.tsx")),
  ru: dynamic(() => import("./russian.tsx")),
};

/** Messages and formats for client components. */
export function I18nProvider({ locale, children }: I18nProviderProps) {
  const Language = LANGUAGES[locale];
  return <Language>{children}</Language>;
}
