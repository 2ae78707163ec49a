"use client";

import { useTranslations } from "next-intl";
import { ApiErrorAlert } from "@/components/client/api-error-alert.tsx";
import type { SaveDelegate } from "./use-save-delegate.ts";

/** The result of saving: how to use the delegate, or the errors. */
export function SaveOutcome({ save }: { save: SaveDelegate }) {
  const t = useTranslations("playground.save");
  if (save.isSuccess)
    return (
      <p role="status" className="text-pretty text-st-succeeded">
        {t.rich("saved", {
          property: () => <code className="font-mono text-11">{`"_delegate": "${save.variables.name}"`}</code>,
        })}
      </p>
    );
  return <ApiErrorAlert error={save.error} otherwise={t("unreachable")} />;
}
