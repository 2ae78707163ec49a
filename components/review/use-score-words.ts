import { useFormatter, useTranslations } from "next-intl";
import { HIGHEST_RATING, RATING, type ScoreSummary, type ScoreValue, THUMBS } from "@/lib/scores/score.ts";

/** Scores in words: their names, single values, and what the list sums up. */
export function useScoreWords() {
  const t = useTranslations("review.scores");
  const format = useFormatter();
  const number = (value: number) => format.number(value, { maximumFractionDigits: 2 });
  const nameOf = (name: string) => (name === THUMBS ? t("thumbs") : name === RATING ? t("rating") : name);

  const wordOf = (name: string, value: ScoreValue): string => {
    if (typeof value === "boolean") {
      if (name === THUMBS) return value ? t("up") : t("down");
      return value ? t("yes") : t("no");
    }
    if (typeof value === "string") return value;
    return name === RATING ? t("of", { value: number(value), most: HIGHEST_RATING }) : number(value);
  };

  const summaryOf = ({ name, kind, count, value }: ScoreSummary): string => {
    if (typeof value === "string") return value;
    if (kind !== "boolean") return number(value);
    return count === 1 ? wordOf(name, value === 1) : format.number(value, { style: "percent" });
  };

  return { nameOf, wordOf, summaryOf };
}
