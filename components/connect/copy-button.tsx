"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { copyText } from "@/components/ui/copy-text.ts";
import { Icon } from "@/components/ui/icon.tsx";

interface CopyButtonProps {
  text: string;
  /** The snippet's title, for screen readers. */
  name: string;
}

/** Copies a text and reports whether it worked. */
export function CopyButton({ text, name }: CopyButtonProps) {
  const t = useTranslations("connect.copy");
  const [outcome, setOutcome] = useState<{ text: string; done: boolean } | null>(null);
  const copy = () =>
    copyText(text).then(
      () => setOutcome({ text, done: true }),
      // The text can be selected instead.
      () => setOutcome({ text, done: false }),
    );
  // The address changed, so the snippet is not the copied one.
  const told = outcome?.text === text ? outcome : null;
  return (
    <span className="flex flex-none items-center gap-2">
      <span role="status" className={told && !told.done ? "text-12 text-st-failed" : "sr-only"}>
        {told && (told.done ? t("done", { name }) : t("failed"))}
      </span>
      <Button onClick={copy} aria-label={t("label", { name })}>
        <Icon name={told?.done ? "check" : "copy"} size={14} />
        {told?.done ? t("copied") : t("copy")}
      </Button>
    </span>
  );
}
