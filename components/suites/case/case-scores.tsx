"use client";

import { useTranslations } from "next-intl";
import { useScoreWords } from "@/components/review/use-score-words.ts";
import { useScores } from "@/components/review/use-scores.ts";
import { summarizeScores } from "@/lib/scores/score.ts";

/** How the session was scored that a case was made from; nothing where nobody did. */
export function CaseScores({ conversation }: { conversation: string }) {
  const t = useTranslations("suites.case");
  const words = useScoreWords();
  const scores = summarizeScores(useScores(conversation).all.toReversed());
  if (scores.length === 0) return null;
  return (
    <dl
      aria-label={t("scores")}
      className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-line border-b px-3 py-1.5"
    >
      <dt className="text-fg-3">{t("scores")}</dt>
      {scores.map((score) => (
        <dd key={`${score.name} ${score.kind}`}>
          {words.nameOf(score.name)} <b className="font-semibold tabular-nums">{words.summaryOf(score)}</b>
        </dd>
      ))}
    </dl>
  );
}
