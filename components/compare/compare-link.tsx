"use client";

import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { addressOf } from "./place.ts";

/** A link to a comparison with another conversation, which is chosen there. */
export function CompareLink({ id }: { id: string }) {
  const t = useTranslations("compare.link");
  return (
    <Link
      href={addressOf({ a: id })}
      data-command
      title={t("with")}
      aria-label={t("with")}
      className="inline-flex h-[var(--control)] flex-none items-center gap-1.25 rounded-2 px-1.5 phone:min-w-11 phone:justify-center font-medium text-fg-2 hover:bg-hover hover:text-fg"
    >
      <Icon name="compare" />
      <span className="narrow:hidden">{t("compare")}</span>
    </Link>
  );
}

/** A link to a comparison of a fork with its source. */
export function CompareWithSource({ source, fork }: { source: string; fork: string }) {
  const t = useTranslations("compare.link");
  return (
    <Link
      href={addressOf({ a: source, b: fork })}
      className="inline-flex flex-none items-center gap-1.25 rounded-1 font-medium underline underline-offset-3"
    >
      <Icon name="compare" size={14} className="text-fg-3" />
      {t("source")}
    </Link>
  );
}
