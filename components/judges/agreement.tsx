"use client";

import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { actorName } from "@/components/agents/actor-name.ts";
import { callApi } from "@/components/client/api.ts";
import { ApiErrorAlert } from "@/components/client/api-error-alert.tsx";
import { useWords } from "@/components/overview/use-words.ts";
import { useScoreWords } from "@/components/review/use-score-words.ts";
import { Link } from "@/components/ui/link.tsx";
import type { Agreement as Answer } from "@/lib/api/shapes.ts";

/** How far judges, rules and programs agree with people, and where they do not. */
export function Agreement() {
  const t = useTranslations("judges.agreement");
  const { data: items, error } = useQuery({
    queryKey: ["agreement"],
    queryFn: ({ signal }) => callApi<{ items: Answer[] }>("/api/scores/agreement", { signal }),
    select: (answer) => answer.items,
  });
  if (error) return <ApiErrorAlert error={error} otherwise={t("failed")} className="m-3" />;
  if (!items) return null;
  return (
    <section className="tool-table judges-agreement" aria-label={t("title")} tabIndex={0}>
      <div className="where-head">
        <h2>{t("title")}</h2>
        <p>{items.length === 0 ? t("none") : t("explain")}</p>
      </div>
      {items.map((item) => (
        <Pairs key={JSON.stringify([item.name, item.rater, item.kind])} item={item} />
      ))}
    </section>
  );
}

function Pairs({ item: { name, rater, pairs, agreed, kappa, disagreeing } }: { item: Answer }) {
  const t = useTranslations("judges.agreement");
  const words = useWords();
  const scores = useScoreWords();
  const format = useFormatter();
  return (
    <details>
      <summary>
        <b className="font-semibold">{scores.nameOf(name)}</b>
        <span>{rater === null ? t("rule") : actorName(rater)}</span>
        <span className="tabular-nums">
          {t("agreed", {
            share: words.percent(agreed.share, 0),
            from: words.percent(agreed.from, 0),
            to: words.percent(agreed.to, 0),
            count: pairs,
          })}
        </span>
        <span className="tabular-nums">
          {t("kappa", {
            kappa:
              kappa === null
                ? words.none
                : format.number(kappa, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
          })}
        </span>
        <span className="text-fg-3">{t("apart", { count: disagreeing.length })}</span>
      </summary>
      {disagreeing.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("conversation")}</th>
              <th scope="col">{t("person")}</th>
              <th scope="col">{t("rater")}</th>
            </tr>
          </thead>
          <tbody>
            {disagreeing.map((pair) => (
              <tr key={pair.conversation_id}>
                <th scope="row">
                  <Link href={`/conversations/${encodeURIComponent(pair.conversation_id)}`}>
                    {pair.title ?? pair.conversation_id}
                  </Link>
                </th>
                <td>{scores.wordOf(name, pair.person)}</td>
                <td>{scores.wordOf(name, pair.rater)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}
