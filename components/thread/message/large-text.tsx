"use client";

import { useTranslations } from "next-intl";
import { LoadButton } from "@/components/studio/load-button.tsx";
import { useCited } from "@/components/studio/use-cited.ts";
import type { Ref } from "@/lib/session/session.ts";

/** A text over 16 kB: its size, and the text once it is loaded. */
export function LargeText({ cited }: { cited: Ref }) {
  const t = useTranslations("thread");
  const text = useCited(cited);
  if (text.value === undefined) return <LoadButton cited={text} bytes={cited.bytes} />;
  return (
    <section
      className="max-h-120 overflow-y-auto text-13 leading-[var(--lh-body)] whitespace-pre-wrap wrap-anywhere"
      tabIndex={0}
      aria-label={t("longText")}
    >
      {typeof text.value === "string" ? text.value : JSON.stringify(text.value, null, 2)}
    </section>
  );
}
