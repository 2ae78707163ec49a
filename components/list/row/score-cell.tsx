import { useTranslations } from "next-intl";
import { useScoreWords } from "@/components/review/use-score-words.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { RATING, type ScoreSummary, THUMBS } from "@/lib/scores/score.ts";

/** The score that people read first: a rating, else thumbs, else the first; the others are counted and told. */
export function ScoreCell({ scores }: { scores: readonly ScoreSummary[] }) {
  const t = useTranslations("review.scores");
  const words = useScoreWords();
  const first = [RATING, THUMBS].flatMap((name) => scores.find((score) => score.name === name) ?? [])[0] ?? scores[0];
  if (!first) return <span className="text-fg-3">–</span>;
  const told = scores.map((score) =>
    t("told", { name: words.nameOf(score.name), value: words.summaryOf(score), count: score.count }),
  );
  const isBad = first.kind === "boolean" && first.value === 0;
  return (
    <span
      title={told.join("\n")}
      className="relative z-1 inline-flex min-w-0 max-w-full items-center gap-1 tabular-nums"
    >
      <span className="sr-only">{told.join("; ")}</span>
      <span aria-hidden className={`inline-flex min-w-0 items-center gap-1 ${isBad ? "text-st-failed" : "text-fg-2"}`}>
        <ScoreMark score={first} />
        {scores.length > 1 && <span className="text-11 text-fg-3">+{scores.length - 1}</span>}
      </span>
    </span>
  );
}

function ScoreMark({ score }: { score: ScoreSummary }) {
  const words = useScoreWords();
  if (score.name === THUMBS && score.kind === "boolean" && (score.value === 0 || score.value === 1))
    return <Icon name={score.value === 1 ? "thumb-up" : "thumb-down"} size={14} />;
  if (score.name === RATING && score.kind === "number")
    return (
      <>
        <Icon name="star" size={12} />
        {words.summaryOf(score)}
      </>
    );
  return (
    <span className="truncate">
      <span className="text-fg-3">{score.name}</span> {words.summaryOf(score)}
    </span>
  );
}
