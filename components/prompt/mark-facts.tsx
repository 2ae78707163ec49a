"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { shownOrigin } from "./origins.ts";
import type { Mark } from "./prompt-marks.ts";

interface MarkFactsProps {
  /** Null for none. */
  mark: Mark | null;
  aboutMessage?: ((id: string) => ReactNode) | undefined;
}

/** The placeholder of the current mark, and the message in the history. Its height is constant. */
export function MarkFacts({ mark, aboutMessage }: MarkFactsProps) {
  const t = useTranslations("prompt");
  return (
    <div
      className="sticky bottom-0 mt-auto flex h-13 flex-none flex-col justify-center border-line border-t bg-sunken px-3"
      role="status"
    >
      {mark === null ? (
        <p className="text-11 text-fg-3">{t("hint")}</p>
      ) : (
        <>
          <p className="flex min-h-5 min-w-0 items-center gap-1.5">
            <span className={`prompt-label flex-none origin-${shownOrigin(mark.part.origin)}`}>
              {t(`origin.${shownOrigin(mark.part.origin)}`)}
            </span>
            <code className="min-w-0 truncate font-mono text-11">{`{{${mark.part.placeholder}}}`}</code>
          </p>
          <div className="flex min-h-6 min-w-0 items-center gap-1.5 text-11">
            {mark.message === null ? (
              <span className="min-w-0 truncate text-fg-3">{t(`about.${shownOrigin(mark.part.origin)}`)}</span>
            ) : (
              <AboutMessage id={mark.message.id} aboutMessage={aboutMessage} />
            )}
          </div>
        </>
      )}
    </div>
  );
}

function AboutMessage({ id, aboutMessage }: { id: string | null; aboutMessage: MarkFactsProps["aboutMessage"] }) {
  const t = useTranslations("prompt");
  if (id === null) return <span className="text-fg-3">{t("namelessMessage")}</span>;
  return (
    aboutMessage?.(id) ?? (
      <>
        <span className="text-fg-3">{t("message")}</span>
        <code className="min-w-0 truncate font-mono">{id}</code>
      </>
    )
  );
}
