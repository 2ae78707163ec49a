"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useHasPermission } from "@/components/access/use-has-permission.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";

/** A hint where to get a key. */
export function KeyNote() {
  const t = useTranslations("connect.key");
  const makes = useHasPermission("admin");
  const code = (words: ReactNode) => <code className="font-mono text-11 text-fg">{words}</code>;
  return (
    <p className="flex max-w-160 items-start gap-2 rounded-2 bg-sunken px-3 py-2 text-13 text-fg-2 leading-[var(--lh-body)] text-pretty">
      <Icon name="key" size={14} className="mt-0.75 text-fg-3" />
      <span>
        {t.rich("text", { code })}{" "}
        {makes ? (
          <Link href="/admin/keys" className="font-medium text-accent underline underline-offset-2">
            {t("make")}
          </Link>
        ) : (
          t("ask")
        )}
      </span>
    </p>
  );
}
