"use client";

import { useTranslations } from "next-intl";
import { memo } from "react";
import { shownOrigin } from "./origins.ts";
import type { Mark, Piece } from "./prompt-marks.ts";

interface PromptBlockProps {
  pieces: readonly Piece[];
  marks: readonly Mark[];
  /** The current mark, if it is in this block. */
  active: number | null;
  /** The mark that is in the tab order, if it is in this block. */
  stop: number | null;
}

/** A block of a prompt with its marks. Each is isolated, so that right-to-left text does not affect the rest. */
export const PromptBlock = memo(function PromptBlock({ pieces, marks, active, stop }: PromptBlockProps) {
  const t = useTranslations("prompt.origin");
  return (
    <div className="prompt-block">
      {pieces.map((piece, index) => {
        // The block ends its last line.
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
            // An empty part has no text as a name.
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
