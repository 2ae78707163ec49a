import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import { getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { AccountHost } from "@/components/access/account-host.tsx";
import { CallerProvider, type Reader } from "@/components/access/caller-provider.tsx";
import { QueryProvider } from "@/components/client/query-provider.tsx";
import { PendingHost } from "@/components/decision/pending-host.tsx";
import { I18nProvider } from "@/components/i18n/provider.tsx";
import { PaletteHost } from "@/components/palette/palette-host.tsx";
import { FocusAfterNavigation } from "@/components/shell/focus-after-navigation.tsx";
import { parseTheme, THEME_COOKIE, THEME_SCRIPT } from "@/components/shell/theme.ts";
import { TransferHost } from "@/components/transfer/transfer-host.tsx";
import { expectPhone, PHONE_COOKIE } from "@/components/ui/phone.ts";
import { PhoneProvider } from "@/components/ui/phone-provider.tsx";
import { requesterOf } from "@/lib/api/request/requester.ts";
import { FONTS } from "./fonts.ts";
import { servicesFor } from "./services-for.ts";

export const metadata: Metadata = { title: { default: "Obelus", template: "%s · Obelus" } };

/** A phone's on-screen keyboard resizes the page, so that the message box stays visible. */
export const viewport: Viewport = {
  colorScheme: "light dark",
  viewportFit: "cover",
  interactiveWidget: "resizes-content",
};

/** The nonce of this request's Content-Security-Policy, set by the server's front. */
async function nonceOfRequest(): Promise<string | undefined> {
  const policy = (await headers()).get("content-security-policy");
  return policy?.match(/'nonce-([^']+)'/)?.[1];
}

/** The caller, with the fields that the console may have. */
async function readerOfRequest(): Promise<Reader> {
  const { caller } = requesterOf(await headers());
  if (caller.kind !== "person") return { caller, hasPassword: false };
  const { kind, id, name, role } = caller;
  const user = await (await servicesFor("known")).users.get(id);
  return { caller: { kind, id, name, role }, hasPassword: user?.signs_in === "here" };
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, t, nonce, head, jar, reader] = await Promise.all([
    getLocale(),
    getTranslations("common"),
    nonceOfRequest(),
    headers(),
    cookies(),
    readerOfRequest(),
  ]);
  return (
    <html lang={locale} data-theme-choice={parseTheme(jar.get(THEME_COOKIE)?.value)} suppressHydrationWarning>
      <head>
        {FONTS[locale].map((font) => (
          <link key={font} rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={font} />
        ))}
        <script
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, run before the first paint
          dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }}
        />
      </head>
      <body>
        <I18nProvider locale={locale}>
          <a
            href="#main"
            className="sr-only rounded-2 bg-accent px-3 py-1.5 text-accent-fg focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-10"
          >
            {t("skip")}
          </a>
          <CallerProvider {...reader}>
            <QueryProvider>
              <PhoneProvider expected={expectPhone(head, jar.get(PHONE_COOKIE)?.value)}>
                {children}
                {/* After the page, whose own choice of the focus comes first. */}
                <FocusAfterNavigation />
                {reader.caller.kind !== "nobody" && (
                  <>
                    <PaletteHost />
                    <TransferHost />
                    <PendingHost />
                  </>
                )}
                {reader.caller.kind === "person" && <AccountHost />}
              </PhoneProvider>
            </QueryProvider>
          </CallerProvider>
        </I18nProvider>
      </body>
    </html>
  );
}
