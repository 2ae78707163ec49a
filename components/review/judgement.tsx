"use client";

import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { callApi } from "@/components/client/api.ts";
import { useCostWords } from "@/components/format/use-cost-words.ts";
import type { Judgement as Judged } from "@/lib/scores/judge.ts";
import { addressOf } from "./use-review.ts";

/** What a model was asked and answered that gave a score; read when it is opened. */
export function Judgement({ conversation, score }: { conversation: string; score: string }) {
  const t = useTranslations("judges");
  const format = useFormatter();
  const costWords = useCostWords();
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({
    queryKey: ["judgement", conversation, score],
    queryFn: ({ signal }) =>
      callApi<Judged>(`${addressOf("scores", conversation)}/${encodeURIComponent(score)}/judgement`, { signal }),
    enabled: isOpen,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-11 text-fg-2">{t("how")}</summary>
      {error && <p className="text-st-failed">{error.message}</p>}
      {data && (
        <div className="grid gap-1 py-1">
          <p className="text-11 text-fg-3">
            {t("model_was", {
              model: data.model,
              input: format.number(data.input_tokens),
              output: format.number(data.output_tokens),
            })}
            {data.cost && data.cost.length > 0 && ` · ${costWords(data.cost)}`}
          </p>
          {(
            [
              ["asked", data.prompt],
              ["answered", data.answer],
            ] as const
          ).map(([what, text]) => (
            <div key={what}>
              <h5 className="text-11 text-fg-3">{t(what)}</h5>
              <pre className="max-h-60 overflow-auto rounded-1 bg-canvas p-2 font-mono text-11 whitespace-pre-wrap wrap-anywhere">
                {text}
              </pre>
            </div>
          ))}
        </div>
      )}
    </details>
  );
}
