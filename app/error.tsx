"use client";

import { useTranslations } from "next-intl";
import { Header } from "@/components/shell/header.tsx";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";

/** A page that broke. The server has logged why, under the digest. */
export default function PageFailure({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations("common");
  return (
    <div className="grid h-dvh grid-rows-[auto_minmax(0,1fr)]">
      <Header />
      <main id="main" tabIndex={-1} className="outline-none">
        <EmptyState
          icon="failed"
          heading="h1"
          title={t("failure.title")}
          className="py-16"
          actions={<Button onClick={reset}>{t("retry")}</Button>}
        >
          <p>{t("failure.text")}</p>
          {error.digest && <p className="font-mono text-11 text-fg-3">{t("failure.code", { digest: error.digest })}</p>}
        </EmptyState>
      </main>
    </div>
  );
}
