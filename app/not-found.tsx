import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { Header } from "@/components/shell/header.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";

/** An address that leads nowhere. */
export default async function NotFound() {
  const t = await getTranslations("common.not_found");
  return (
    <div className="grid h-dvh grid-rows-[auto_minmax(0,1fr)]">
      <Header />
      <main id="main" tabIndex={-1} className="outline-none">
        <EmptyState
          icon="search"
          heading="h1"
          title={t("title")}
          className="py-16"
          actions={
            <Link href="/" className="font-medium text-accent underline underline-offset-2">
              {t("back")}
            </Link>
          }
        >
          {t("text")}
        </EmptyState>
      </main>
    </div>
  );
}
