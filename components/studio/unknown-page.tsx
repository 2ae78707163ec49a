"use client";

import { useParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { Header } from "@/components/shell/header.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Link } from "@/components/ui/link.tsx";
import { readId } from "../selection/read-id.ts";

/** The page of an unknown conversation. */
export function UnknownPage() {
  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <Header />
      <main id="main" tabIndex={-1} className="outline-none">
        <UnknownConversation />
      </main>
    </div>
  );
}

/** The conversation in the address is not on this server. */
function UnknownConversation() {
  const t = useTranslations("studio.unknown");
  const { id } = useParams<{ id: string }>();
  return (
    <EmptyState
      icon="search"
      heading="h1"
      title={t("title")}
      className="py-16"
      actions={
        <Link href="/" className="touch font-medium text-accent underline underline-offset-2">
          {t("back")}
        </Link>
      }
    >
      {t.rich("text", {
        id: () => <code className="rounded-1 bg-sunken px-1 font-mono text-12 wrap-anywhere">{readId(id)}</code>,
      })}
    </EmptyState>
  );
}
