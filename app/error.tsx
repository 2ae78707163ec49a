"use client";

import { useTranslations } from "next-intl";
import { PlainPage } from "@/components/shell/plain-page.tsx";
import { Button } from "@/components/ui/button.tsx";

/** The error page. The server has logged the error with its digest. */
export default function PageFailure({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations("common");
  return (
    <PlainPage home={t("nav.home")} title={t("failure.title")} action={<Button onClick={reset}>{t("retry")}</Button>}>
      <p>{t("failure.text")}</p>
      {error.digest && <p className="font-mono text-11 text-fg-3">{t("failure.code", { digest: error.digest })}</p>}
    </PlainPage>
  );
}
