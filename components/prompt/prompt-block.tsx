"use client";

import { useTranslations } from "next-intl";
import { memo } from "react";
import { shownOrigin } from "./origins.ts";
import type { Mark, Piece } from "./prompt-marks.ts";

interface PromptBlockProps {
  pieces: readonly Piece[];
  marks: readonly Mark[];
  /** The mark that is looked at, where it is in here. */
  active: number | null;
  /** The mark at which Tab stops, where it is in here. */
  stop: number | null;
}

/** A stretch of a prompt with its marks. Each of them is isolated, so that text from right to left stays in its place. */
export const PromptBlock = memo(function PromptBlock({ pieces, marks, active, stop }: PromptBlockProps) {
  const t = useTranslations("prompt.origin");
  return (
    <div className="prompt-block">
      {pieces.map((piece, index) => {
        // The block ends its last line itself.
        const text = index === pieces.length - 1 ? piece.text.replace(/\n$/, "") : piece.text;
        const mark = piece.mark === null ? undefined : marks[piece.mark];
        if (!mark) return text;
        const origin = shownOrigin(mark.part.origin);
        const isButton = mark.isStop && piece.opensMark;
        return (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it is named only where it is a button
          <bdi
            key={`${piece.start} ${piece.mark}`}
            className={`prompt-mark origin-${origin}`}
            data-mark={piece.mark}
            data-active={piece.mark === active || undefined}
            data-label={piece.opensPart ? t(origin) : undefined}
            role={isButton ? "button" : undefined}
            // Where nothing was put there is no text to be named by.
            aria-label={isButton && text === "" ? t(origin) : undefined}
            tabIndex={isButton ? (piece.mark === stop ? 0 : -1) : undefined}
          >
            {text}
          </bdi>
        );
      })}
    </div>
  );
});
