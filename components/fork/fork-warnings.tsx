"use client";

import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Icon, type IconName } from "@/components/ui/icon.tsx";
import { useForkPreview } from "./use-fork-preview.ts";

interface ForkForecastProps {
  conversationId: string;
  at: number;
  /** The step has a plan, and it is unchanged. */
  isPlanKept: boolean;
}

/** Warns before creation about what cannot run in the fork; nothing without warnings. */
export function ForkWarnings({ conversationId, at, isPlanKept }: ForkForecastProps) {
  const t = useTranslations("fork");
  const locale = useLocale();
  const preview = useForkPreview(conversationId, at);
  if (!preview) return null;
  const { left, unknown_tools: unknown } = preview;
  return (
    <>
      {isPlanKept && left === 0 && <Note icon="check">{t("allDone")}</Note>}
      {unknown.length > 0 && (
        <Note icon="blocked">
          {t("unknown", {
            count: unknown.length,
            tools: new Intl.ListFormat(locale).format(unknown.map(({ name }) => name)),
            recorded: unknown.reduce((sum, { recorded }) => sum + recorded, 0),
          })}
        </Note>
      )}
    </>
  );
}

function Note({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <p className="mb-1 flex items-start gap-1.5 text-pretty text-fg-2">
      <Icon name={icon} size={14} className="mt-0.25 text-fg-3" />
      <span>{children}</span>
    </p>
  );
}
