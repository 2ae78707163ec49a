"use client";

import { useTranslations } from "next-intl";
import type { CaseResult } from "@/lib/api/shapes.ts";

type Pair = CaseResult["items"][number]["result"]["difference"]["steps"][number];

/** What the agent says on both sides, with insertions and deletions. */
export function SaidWords({ steps }: { steps: readonly Pair[] }) {
  const t = useTranslations("suites.case");
  const said = steps.filter(({ recorded, now }) => recorded?.kind === "says" || now?.kind === "says");
  const differing = said.filter(({ kind }) => kind !== "same");
  return (
    <section className="diff-pane" tabIndex={0} aria-label={t("words")}>
      <h2>{t("words")}</h2>
      {differing.length === 0 ? (
        <p className="px-3 pb-3 text-fg-2">{t("words_same")}</p>
      ) : (
        said.map((pair, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they stand as they were said
          <p key={index} className="diff-words">
            <Said pair={pair} />
          </p>
        ))
      )}
    </section>
  );
}

function Said({ pair: { kind, recorded, now, words } }: { pair: Pair }) {
  const [before, after] = [recorded, now].map((step) => (step?.kind === "says" ? step.content : null));
  if (kind === "same") return <span className="text-fg-3">{after}</span>;
  if (words && isAlike(words))
    return words.map(({ text, added, removed }, index) => {
      // biome-ignore lint/suspicious/noArrayIndexKey: the words stand as they are
      if (added) return <ins key={index}>{text}</ins>;
      // biome-ignore lint/suspicious/noArrayIndexKey: the words stand as they are
      return removed ? <del key={index}>{text}</del> : text;
    });
  return (
    <>
      {before && <del>{before}</del>}
      {before && after && "\n"}
      {after && <ins>{after}</ins>}
    </>
  );
}

/** Texts with less in common read better one after the other. */
const LEAST_ALIKE = 0.4;

function isAlike(words: NonNullable<Pair["words"]>): boolean {
  const lengthOf = (parts: typeof words) => parts.reduce((sum, { text }) => sum + text.length, 0);
  return lengthOf(words.filter(({ added, removed }) => !added && !removed)) >= LEAST_ALIKE * lengthOf(words);
}
