"use client";

import "./prompt.css";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { StepLink } from "@/components/inspector/step-link.tsx";
import { Button } from "@/components/ui/button.tsx";
import { type ChangedLine, isChanged, type LineGroup, lineChanges } from "./line-changes.ts";

interface ChangesViewProps {
  prompt: string;
  earlier: { step: number; prompt: string };
}

/** The most groups, and lines of a group, before "show more". */
const SHOWN = 100;

/** The differences from the previous request's prompt. */
export function ChangesView({ prompt, earlier }: ChangesViewProps) {
  const t = useTranslations("prompt.changes");
  const groups = useMemo(() => lineChanges(earlier.prompt, prompt), [earlier.prompt, prompt]);
  const [shown, setShown] = useState(SHOWN);
  const since = t.rich("since", { step: () => <StepLink step={earlier.step} /> });
  if (groups === null) return <p className="px-3 py-2 text-fg-3">{t("tooMany")}</p>;
  if (!isChanged(groups))
    return <p className="px-3 py-2 text-fg-3">{t.rich("nothing", { step: () => <StepLink step={earlier.step} /> })}</p>;
  return (
    <section aria-label={t("title")}>
      <p className="px-3 pt-1 text-11 text-fg-3">{since}</p>
      <div className="prompt-changes">
        {groups.slice(0, shown).map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups are known by their place
          <Group key={index} group={group} />
        ))}
      </div>
      {groups.length > shown && (
        <p className="px-3 pb-2">
          <Button onClick={() => setShown(shown + SHOWN)}>{t("more")}</Button>
        </p>
      )}
    </section>
  );
}

function Group({ group: { folded, lines } }: { group: LineGroup }) {
  const t = useTranslations("prompt.changes");
  const [open, setOpen] = useState(!folded);
  if (!open)
    return (
      <button type="button" className="prompt-fold" onClick={() => setOpen(true)}>
        {t(lines[0]?.kind === "same" ? "same" : "moreLines", { count: lines.length })}
      </button>
    );
  return (
    <>
      {lines.slice(0, SHOWN).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are known by their place
        <Line key={index} line={line} />
      ))}
      {lines.length > SHOWN && <Group group={{ folded: true, lines: lines.slice(SHOWN) }} />}
    </>
  );
}

const SIGN = { same: "", add: "+", remove: "−" } as const satisfies Record<ChangedLine["kind"], string>;
/** Longer lines are cut, in characters, because they would make the browser slow. */
const LONGEST_LINE = 8_000;

function Line({ line: { kind, words } }: { line: ChangedLine }) {
  const t = useTranslations("prompt.changes");
  return (
    <div className="prompt-line" data-kind={kind}>
      <span aria-hidden className="prompt-sign">
        {SIGN[kind]}
      </span>
      {kind !== "same" && <span className="sr-only">{t(kind)} </span>}
      <span className="prompt-words">
        {words.map(({ text, changed }, index) => {
          const shown = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
          // biome-ignore lint/suspicious/noArrayIndexKey: words are known by their place
          return changed ? <b key={index}>{shown}</b> : shown;
        })}
      </span>
    </div>
  );
}
