"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useHasPermission } from "@/components/access/use-has-permission.ts";
import { ApiErrorAlert } from "@/components/client/api-error-alert.tsx";
import { ShortcutFooter } from "@/components/keys/shortcut-footer.tsx";
import { useWords } from "@/components/overview/use-words.ts";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { Judge } from "@/lib/api/shapes.ts";
import { Agreement } from "./agreement.tsx";
import { JudgeForm } from "./judge-form.tsx";
import { useJudges } from "./queries.ts";
import { useScaleWords } from "./use-scale-words.ts";

/** The models that score turns when they have ended, and what they did today. */
export function Judges() {
  const t = useTranslations("judges");
  const { data: judges, error } = useJudges();
  const mayWrite = useHasPermission("admin");
  /** The judge in the form; "new" for an empty one. */
  const [written, setWritten] = useState<Judge | "new" | null>(null);
  const add = mayWrite && (
    <Button variant="primary" onClick={() => setWritten("new")}>
      {t("add")}
    </Button>
  );
  return (
    <>
      <main id="main" tabIndex={-1} className="overview">
        <div className="place-bar">
          <h1>{t("title")}</h1>
          <span className="flex-1" />
          {judges && judges.length > 0 && add}
        </div>
        <ApiErrorAlert error={error} otherwise={t("failed")} className="m-3" />
        {written !== null && (
          <JudgeForm
            key={written === "new" ? "new" : written.name}
            judge={written === "new" ? null : written}
            onClose={() => setWritten(null)}
          />
        )}
        {judges?.length === 0 && written === null && (
          <EmptyState icon="obelus" title={t("none")} actions={add}>
            {t("none_text")}
          </EmptyState>
        )}
        {judges && judges.length > 0 && <Table judges={judges} onOpen={mayWrite ? setWritten : null} />}
        {(judges || error) && <Agreement />}
      </main>
      <ShortcutFooter page="plain">{judges && t("count", { count: judges.length })}</ShortcutFooter>
    </>
  );
}

function Table({ judges, onOpen }: { judges: readonly Judge[]; onOpen: ((judge: Judge) => void) | null }) {
  const t = useTranslations("judges");
  const words = useWords();
  const scaleOf = useScaleWords();
  return (
    <section className="tool-table judges-table" aria-label={t("title")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("name")}</th>
            <th scope="col">{t("score")}</th>
            <th scope="col">{t("agent")}</th>
            <th scope="col">{t("scale")}</th>
            <th scope="col">{t("share")}</th>
            <th scope="col">{t("today")}</th>
            <th scope="col">{t("budget")}</th>
          </tr>
        </thead>
        <tbody>
          {judges.map((judge) => {
            const { name, score, agent, scale, share, today, daily_tokens, enabled } = judge;
            return (
              <tr key={name} className={enabled ? "" : "text-fg-3"}>
                <th scope="row">
                  {onOpen ? (
                    <button type="button" className="hover:underline" onClick={() => onOpen(judge)}>
                      {name}
                    </button>
                  ) : (
                    name
                  )}
                  {!enabled && <span className="ml-2 font-normal">{t("off")}</span>}
                </th>
                <td data-label={t("score")}>
                  <Link href={`/?${new URLSearchParams({ score })}`}>{score}</Link>
                </td>
                <td data-label={t("agent")}>{agent ?? t("any_agent")}</td>
                <td data-label={t("scale")}>{scaleOf(scale)}</td>
                <td data-label={t("share")}>{words.percent(share, 0)}</td>
                <td data-label={t("today")}>{t("did", { count: today.scores })}</td>
                <td data-label={t("budget")}>
                  {t("used", { used: words.number(today.tokens), most: words.number(daily_tokens) })}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
