import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Header } from "@/components/shell/header.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("access.forbidden"))("title") };
}

/** Shown instead of a page for which the caller lacks the role; the server's front rewrites to it. */
export default async function ForbiddenPage() {
  const t = await getTranslations("access.forbidden");
  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <Header />
      <main id="main" tabIndex={-1} className="overflow-y-auto outline-none">
        <EmptyState
          icon="lock"
          heading="h1"
          title={t("title")}
          className="py-16"
          actions={
            <a href="/" className="touch font-medium text-accent underline underline-offset-2">
              {t("back")}
            </a>
          }
        >
          {t("text")}
        </EmptyState>
      </main>
    </div>
  );
}
