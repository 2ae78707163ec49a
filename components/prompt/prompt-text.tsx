"use client";

import "./prompt.css";
import { useTranslations } from "next-intl";
import { type ReactNode, useMemo, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { MarkFacts } from "./mark-facts.tsx";
import { originsOf, type ShownOrigin, shownOrigin } from "./origins.ts";
import { PromptBlock } from "./prompt-block.tsx";
import { type Mark, type MarkedPrompt, markPrompt, type ReplacedPart } from "./prompt-marks.ts";
import { useMarks } from "./use-marks.ts";

interface PromptTextProps {
  prompt: string;
  /** A replaced part, rendered here or reported by an event. */
  parts: readonly ReplacedPart[];
  /** Returns details of a message: author, time, and a link. */
  aboutMessage?: (id: string) => ReactNode;
}

/** The most blocks of a long prompt before "show all": 4,000 characters each. */
const SHOWN = 6;

/**
 * A rendered prompt with its replaced parts marked by origin (H6). Hovering or focusing one shows its placeholder and
 * its message. Use another `key` for another prompt.
 */
export function PromptText({ prompt, parts, aboutMessage }: PromptTextProps) {
  const t = useTranslations("prompt");
  const marked = useMemo(() => markPrompt(prompt, parts), [prompt, parts]);
  const [whole, setWhole] = useState(false);
  const blocks = whole ? marked.blocks : marked.blocks.slice(0, SHOWN);
  const { marks } = marked;
  const { text, shown, pinned, handlers, goTo } = useMarks(marks, () => setWhole(true));
  const stop = pinned ?? firstStop(marked);
  const mark = shown === null ? null : (marks[shown] ?? null);
  return (
    <section aria-label={t("text")} className="flex min-w-0 grow flex-col">
      {marks.length > 0 && <Legend marks={marks} onPick={goTo} />}
      <div ref={text} className="prompt-text" data-whole={whole || undefined} {...handlers}>
        {blocks.map((pieces) => (
          <PromptBlock
            key={pieces[0]?.start ?? 0}
            pieces={pieces}
            marks={marks}
            active={pieces.some((piece) => piece.mark === shown) ? shown : null}
            stop={pieces.some((piece) => piece.mark === stop) ? stop : null}
          />
        ))}
        {prompt === "" && <p className="text-fg-3">{t("empty")}</p>}
      </div>
      {marked.blocks.length > blocks.length && (
        <p className="px-3 pb-2">
          <Button onClick={() => setWhole(true)}>{t("showAll", { count: prompt.length })}</Button>
        </p>
      )}
      {marks.length > 0 && <MarkFacts mark={mark} aboutMessage={aboutMessage} />}
    </section>
  );
}

/** The mark in the tab order. */
function firstStop({ marks }: MarkedPrompt): number | null {
  const first = marks.findIndex(({ isStop }) => isStop);
  return first < 0 ? null : first;
}

interface LegendProps {
  marks: readonly Mark[];
  /** A mark to go to. */
  onPick: (mark: number) => void;
}

/** The legend of origins; each links to its parts. */
function Legend({ marks, onPick }: LegendProps) {
  const t = useTranslations("prompt");
  const origins = originsOf(marks.map(({ part }) => part));
  return (
    <ul aria-label={t("legend")} className="flex flex-wrap px-2.25 pt-0.5">
      {origins.map((origin) => (
        <li key={origin}>
          <button
            type="button"
            title={t("goTo")}
            onClick={() => onPick(firstOf(marks, origin))}
            className="inline-flex min-h-6 items-center rounded-1 px-0.75 hover:bg-hover"
          >
            <span className={`prompt-label origin-${origin}`}>{t(`origin.${origin}`)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function firstOf(marks: readonly Mark[], origin: ShownOrigin): number {
  return marks.findIndex(({ part, isStop }) => isStop && shownOrigin(part.origin) === origin);
}
