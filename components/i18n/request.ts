import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { chooseLocale, LOCALE_COOKIE } from "./locales.ts";
import { messagesOf } from "./messages.ts";

/** Language, messages and time of a request, for next-intl. There is no language in the address. */
export default getRequestConfig(async () => {
  const [jar, head] = await Promise.all([cookies(), headers()]);
  const locale = chooseLocale(jar.get(LOCALE_COOKIE)?.value, head.get("accept-language"));
  return {
    locale,
    messages: messagesOf(locale),
    // The reader's time zone replaces it in the browser (see provider.tsx).
    timeZone: "UTC",
    now: new Date(),
  };
});
