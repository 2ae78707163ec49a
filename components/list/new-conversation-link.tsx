"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { Icon } from "@/components/ui/icon.tsx";

const NEW = "/new";

/** The way to a new conversation; `N` goes there. */
export function NewConversationLink() {
  const t = useTranslations("compose");
  const router = useRouter();
  useShortcuts({ create: () => router.push(NEW) });
  return (
    <Link
      href={NEW}
      aria-keyshortcuts="N"
      className="inline-flex h-7.5 phone:size-11 phone:justify-center flex-none items-center gap-1.5 rounded-2 border border-accent bg-accent pr-2.5 pl-2 font-medium whitespace-nowrap text-accent-fg hover:border-accent-hover hover:bg-accent-hover"
    >
      <Icon name="plus" size={14} />
      <span className="phone:sr-only">{t("new")}</span>
    </Link>
  );
}
