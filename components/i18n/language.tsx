"use client";

import { type AbstractIntlMessages, type Locale, NextIntlClientProvider } from "next-intl";
import { type ReactNode, useSyncExternalStore } from "react";

interface LanguageProps {
  locale: Locale;
  messages: AbstractIntlMessages;
  children: ReactNode;
}

/** The time zone does not change while a page is open. */
const neverChanges = () => () => undefined;

/** The server does not know the reader's time zone, so the first render is in UTC and the reader's own follows after hydration. */
export function Language({ locale, messages, children }: LanguageProps) {
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
