"use client";

import { type AbstractIntlMessages, type Locale, NextIntlClientProvider } from "next-intl";
import { type ReactNode, useSyncExternalStore } from "react";

interface I18nProviderProps {
  locale: Locale;
  messages: AbstractIntlMessages;
  children: ReactNode;
}

/** A time zone does not change while a page is open. */
const neverChanges = () => () => undefined;

/**
 * Words and formats for the components of the browser. The server does not know the reader's time zone, so the
 * first paint is in UTC and the reader's own follows once the page runs: no hydration mismatch.
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
