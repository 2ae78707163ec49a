"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { rememberPreference } from "@/components/client/preference.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { formatProgress, type Progress, WELCOME_COOKIE } from "./progress.ts";

/** Leads from the list of a fresh server to the welcome page, until it is hidden. */
export function WelcomeBanner({ progress }: { progress: Progress }) {
  const t = useTranslations("welcome");
  const [isHidden, setHidden] = useState(false);
  if (isHidden) return null;
  const hide = () => {
    rememberPreference(WELCOME_COOKIE, formatProgress({ ...progress, hidden: true }));
    setHidden(true);
  };
  return (
    <section
      aria-label={t("banner.label")}
      className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-accent-line border-b bg-accent-soft px-3 py-1.5 text-13"
    >
      <p className="min-w-0 text-pretty">
        <b className="font-semibold">{t("banner.title")}</b> <span className="text-fg-2">{t("banner.text")}</span>
      </p>
      <span className="ml-auto flex flex-none items-center gap-1.5 phone:ml-0">
        <Link
          href="/welcome"
          className="inline-flex h-[var(--control)] phone:h-11 items-center gap-1 rounded-2 border border-accent-line bg-surface pr-2 pl-2.5 font-medium text-12 text-accent hover:border-accent"
        >
          {t("banner.go")}
          <Icon name="right" size={14} />
        </Link>
        <Button variant="ghost" onClick={hide} className="phone:h-11">
          {t("banner.hide")}
        </Button>
      </span>
    </section>
  );
}
