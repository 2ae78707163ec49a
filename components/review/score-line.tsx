import { useTranslations } from "next-intl";
import { useCaller } from "@/components/access/caller-provider.tsx";
import { useHasPermission } from "@/components/access/use-has-permission.ts";
import { actorName } from "@/components/agents/actor-name.ts";
import { Clock } from "@/components/format/clock.tsx";
import { StepLink } from "@/components/inspector/step-link.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { actorOf } from "@/lib/access/caller.ts";
import type { Score } from "@/lib/scores/score.ts";
import { Judgement } from "./judgement.tsx";
import { useScoreWords } from "./use-score-words.ts";

interface ScoreLineProps {
  conversation: string;
  score: Score;
  onRemove: () => void;
}

/** A score: its name and value, about what, by whom and when, and its comment. */
export function ScoreLine({ conversation, score, onRemove }: ScoreLineProps) {
  const t = useTranslations("review.scores");
  const words = useScoreWords();
  const own = actorOf(useCaller());
  const mayRemove = useHasPermission("operate");
  const { name, value, source, comment, by, at, seq, run_id, call_id } = score;
  const isBad = value === false;
  return (
    <li className="rounded-1 px-1.5 py-1 hover:bg-hover">
      <div className="flex min-h-6 items-center gap-2">
        <span className="min-w-0 truncate">{words.nameOf(name)}</span>
        <b className={`min-w-0 truncate font-semibold tabular-nums ${isBad ? "text-st-failed" : ""}`}>
          {words.wordOf(name, value)}
        </b>
        {seq !== null && <StepLink step={seq}>{t("step", { step: seq })}</StepLink>}
        {call_id !== null && <code className="min-w-0 truncate font-mono text-11 text-fg-2">{call_id}</code>}
        {call_id === null && run_id !== null && <span className="text-11 text-fg-3">{t("turn")}</span>}
        <span className="flex-1" />
        {mayRemove && <IconButton icon="close" name={t("remove", { name: words.nameOf(name) })} onClick={onRemove} />}
      </div>
      {comment !== null && <p className="whitespace-pre-wrap text-fg-2 wrap-anywhere">{comment}</p>}
      {by?.startsWith("judge:") && <Judgement conversation={conversation} score={score.id} />}
      <p className="flex flex-wrap gap-x-1.5 text-11 text-fg-3">
        <span>{by === null ? t(`source.${source}`) : by === own ? t("you") : actorName(by)}</span>
        <Clock at={at} />
      </p>
    </li>
  );
}
