"use client";

import { type AbstractIntlMessages, type Locale, NextIntlClientProvider } from "next-intl";
import { type ReactNode, useSyncExternalStore } from "react";

interface I18nProviderProps {
  locale: Locale;
  messages: AbstractIntlMessages;
  children: ReactNode;
}

/** The time zone does not change while a page is open. */
const neverChanges = () => () => undefined;

/**
 * Messages and formats for client components. The server does not know the reader's time zone, so the first render is
 * in UTC and the reader's own follows after hydration.
 */
export function I18nProvider({ locale, messages, children }: I18nProviderProps) {
  const timeZone = useSyncExternalStore(
    neverChanges,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => "UTC",
  );
  return (
    <NextIntlClientProvider locale={locale} messages={messages} timeZone={timeZone}>
      {children}
    </NextIntlClientProvider>
  );
}
