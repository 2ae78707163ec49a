"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCaller } from "@/components/access/caller-provider.tsx";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { Part } from "@/components/inspector/part.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { actorOf } from "@/lib/access/caller.ts";
import {
  HIGHEST_RATING,
  LONGEST_COMMENT,
  RATING,
  type Score,
  type ScoreTarget,
  type ScoreValue,
  THUMBS,
} from "@/lib/scores/score.ts";
import { ScoreLine } from "./score-line.tsx";
import { useScores } from "./use-scores.ts";

/** What can be scored in the studio: the conversation, and what is selected in it. */
export interface Scorable {
  key: "conversation" | "step" | "call";
  label: string;
  target: ScoreTarget;
}

const RATINGS = Array.from({ length: HIGHEST_RATING }, (_, index) => index + 1);

/** Thumbs, a rating and a comment, and all scores of the conversation. */
export function ScorePart({ conversationId, scorables }: { conversationId: string; scorables: readonly Scorable[] }) {
  const t = useTranslations("review.scores");
  const scores = useScores(conversationId);
  const [chosen, choose] = useState<Scorable["key"]>("conversation");
  const scorable = scorables.find(({ key }) => key === chosen) ?? scorables[0];
  if (!scorable) return null;
  return (
    <Part title={t("title")}>
      <RequirePermission permission="ingest" otherwise="words" className="pb-1.5">
        <Segmented
          label={t("of_what")}
          value={scorable.key}
          options={scorables.map(({ key, label }) => ({
            value: key,
            label: <span className="max-w-28 truncate">{label}</span>,
            title: label,
          }))}
          onChange={choose}
          className="phone:h-11 max-w-full"
        />
        <ScoreForm
          key={JSON.stringify(scorable.target)}
          target={scorable.target}
          what={scorable.label}
          scores={scores}
        />
      </RequirePermission>
      {scores.failure !== null && (
        <p role="alert" className="pb-1 text-st-failed">
          {scores.failure}
        </p>
      )}
      {scores.all.length === 0 ? (
        <p className="text-fg-3">{t("none")}</p>
      ) : (
        <ul aria-label={t("all")} className="-mx-1.5">
          {scores.all.map((score) => (
            <ScoreLine
              key={score.id}
              conversation={conversationId}
              score={score}
              onRemove={() => scores.remove(score.id)}
            />
          ))}
        </ul>
      )}
    </Part>
  );
}

interface ScoreFormProps {
  target: ScoreTarget;
  /** Its name. */
  what: string;
  scores: ReturnType<typeof useScores>;
}

/** A press saves at once; the comment belongs to what was pressed last. */
function ScoreForm({ target, what, scores }: ScoreFormProps) {
  const t = useTranslations("review.scores");
  const actor = actorOf(useCaller());
  const mine = scores.all.filter((score) => score.source === "person" && score.by === actor && isAbout(score, target));
  const thumbs = mine.find(({ name }) => name === THUMBS);
  const rating = mine.find(({ name }) => name === RATING);
  const newest = mine.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];
  const [comment, setComment] = useState<string | null>(null);
  const text = comment ?? newest?.comment ?? "";
  const give = (name: string, value: ScoreValue, known: Score | undefined) => {
    if (known && known.value === value) return scores.remove(known.id);
    scores.add({ ...target, name, value, comment: known?.comment ?? "" });
  };
  return (
    <div className="flex flex-col gap-1.5 pt-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <fieldset aria-label={t("thumbs")} className="inline-flex gap-1">
          {([true, false] as const).map((value) => (
            <Button
              key={String(value)}
              square
              pressed={thumbs?.value === value}
              aria-label={t(value ? "thumb_up" : "thumb_down", { what })}
              title={t(value ? "up" : "down")}
              onClick={() => give(THUMBS, value, thumbs)}
              className="phone:size-11"
            >
              <Icon name={value ? "thumb-up" : "thumb-down"} />
            </Button>
          ))}
        </fieldset>
        <fieldset aria-label={t("rating")} className="inline-flex">
          {RATINGS.map((value) => (
            <button
              key={value}
              type="button"
              aria-pressed={rating?.value === value}
              aria-label={t("rate", { value, most: HIGHEST_RATING, what })}
              onClick={() => give(RATING, value, rating)}
              className={`inline-flex size-[var(--control)] phone:size-11 items-center justify-center rounded-1 hover:bg-hover ${Number(rating?.value ?? 0) >= value ? "text-accent" : "text-fg-3"}`}
            >
              <Icon name={Number(rating?.value ?? 0) >= value ? "star-full" : "star"} />
            </button>
          ))}
        </fieldset>
      </div>
      {newest && (
        <form
          className="flex items-start gap-1.5"
          onSubmit={(event) => {
            event.preventDefault();
            scores.add({ ...target, name: newest.name, value: newest.value, comment: text.trim() });
            setComment(null);
          }}
        >
          <textarea
            value={text}
            rows={1}
            maxLength={LONGEST_COMMENT}
            aria-label={t("comment")}
            placeholder={t("comment")}
            onChange={(event) => setComment(event.target.value)}
            className="field-sizing-content max-h-40 min-h-[var(--control)] phone:min-h-11 min-w-0 flex-1 resize-none rounded-2 border border-line-control bg-canvas px-2 py-1 text-fg placeholder:text-fg-3"
          />
          <Button
            type="submit"
            disabled={text.trim() === (newest.comment ?? "") || scores.saving}
            className="phone:h-11"
          >
            {t("save")}
          </Button>
        </form>
      )}
    </div>
  );
}

function isAbout(score: ScoreTarget, { seq, run_id, call_id }: ScoreTarget): boolean {
  return score.seq === seq && score.run_id === run_id && score.call_id === call_id;
}
