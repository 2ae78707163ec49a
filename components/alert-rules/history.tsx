import { useTranslations } from "next-intl";
import { useDuration } from "@/components/format/use-duration.ts";
import { Link } from "@/components/ui/link.tsx";
import { addressOf } from "@/lib/alert-rules/address.ts";
import type { Condition } from "@/lib/alert-rules/rule.ts";
import type { RuleFiring } from "@/lib/api/shapes.ts";
import { useRuleWords } from "./use-rule-words.ts";

interface HistoryProps {
  firings: readonly RuleFiring[];
  condition: Condition;
  currency: string | null;
}

/** When a rule was firing, the newest first. */
export function History({ firings, condition, currency }: HistoryProps) {
  const t = useTranslations("rules");
  const words = useRuleWords(currency);
  const duration = useDuration();
  return (
    <section aria-label={t("history.title")} className="past">
      <h2 className="px-4 pt-4">{t("history.title")}</h2>
      {firings.length === 0 ? (
        <p className="px-4 pb-4 text-fg-3">{t("history.empty")}</p>
      ) : (
        <div className="rule-scroll-x">
          <table className="rule-table">
            <thead>
              <tr>
                <th scope="col">{t("try.began")}</th>
                <th scope="col">{t("try.lasted")}</th>
                <th scope="col" className="num">
                  {t("try.peak")}
                </th>
                <th scope="col">{t("history.told")}</th>
                <th scope="col">{t("try.open")}</th>
              </tr>
            </thead>
            <tbody>
              {firings.map(({ id, started_at, ended_at, window_from, peak, told_at }) => (
                <tr key={id}>
                  <td className="tabular-nums" suppressHydrationWarning>
                    {words.time(started_at)}
                  </td>
                  <td className={ended_at === null ? "text-st-failed" : "text-fg-2"} suppressHydrationWarning>
                    {duration(
                      Math.max(0, (ended_at === null ? Date.now() : Date.parse(ended_at)) - Date.parse(started_at)),
                    )}
                    {ended_at === null && `, ${t("try.still")}`}
                  </td>
                  <td className="num">{words.value(condition, peak)}</td>
                  <td className="text-fg-2 tabular-nums" suppressHydrationWarning>
                    {told_at === null ? t("history.not_told") : words.time(told_at)}
                  </td>
                  <td>
                    <Link
                      href={addressOf(condition, Date.parse(window_from), Date.parse(ended_at ?? started_at))}
                      className="link"
                    >
                      {t("try.open")}
                    </Link>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
