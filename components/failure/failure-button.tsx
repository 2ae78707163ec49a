"use client";

import { useTranslations } from "next-intl";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { NEWEST } from "./failure-address.ts";
import { useOpenFailure } from "./use-open-failure.ts";

/** The number of failures of the conversation, which opens the card of the newest; without any, that of an escalation. */
export function FailureButton() {
  const t = useTranslations("failure");
  const count = useStudio(({ now }) => now.failures.count);
  const isEscalated = useStudio(({ now }) => now.escalated);
  const openFailure = useOpenFailure();
  if (count === 0 && !isEscalated) return null;
  const label = count > 0 ? t("openNewest", { count }) : t("openAlert");
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={label}
      title={label}
      onClick={() => openFailure(NEWEST)}
      className="inline-flex h-5.5 flex-none items-center gap-1 rounded-1 bg-st-failed-bg px-1.75 font-medium text-st-failed whitespace-nowrap tabular-nums hover:underline phone:h-11 phone:rounded-2 phone:px-2.5"
    >
      <Icon name={count > 0 ? "failed" : "escalated"} size={14} />
      {count > 0 ? count : t("explain")}
      <Icon name="down" size={12} />
    </button>
  );
}

/** Opens the card of a failure that is shown. */
export function ExplainFailure({ seq }: { seq: number | null }) {
  const t = useTranslations("failure");
  const openFailure = useOpenFailure();
  if (seq === null) return null;
  return (
    <Button aria-haspopup="dialog" aria-label={t("open", { step: seq })} onClick={() => openFailure(seq)}>
      <Icon name="failed" size={14} className="text-st-failed" />
      {t("explain")}
    </Button>
  );
}
