"use client";

import "./suites.css";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { FormDialog } from "@/components/admin/form-dialog.tsx";
import { actorName } from "@/components/agents/actor-name.ts";
import { FIELD, Labelled } from "@/components/decision/form.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { SuiteRow } from "@/lib/api/shapes.ts";
import { suiteAddress } from "./addresses.ts";
import { isOpen, useCreateSuite, useSuites } from "./queries.ts";
import { RunStatus } from "./run-status.tsx";
import { useSuiteWords } from "./use-suite-words.ts";

/** All suites, with what came of their newest runs. */
export function SuiteList() {
  const t = useTranslations("suites");
  const { data: suites = [] } = useSuites();
  const [isMaking, setMaking] = useState(false);
  return (
    <main id="main" tabIndex={-1} className="suites">
      <div className="suite-bar">
        <h1>{t("title")}</h1>
        <span className="grow" />
        <RequirePermission permission="operate">
          <Button onClick={() => setMaking(true)}>
            <Icon name="plus" size={14} />
            {t("list.new")}
          </Button>
        </RequirePermission>
      </div>
      {suites.length === 0 ? (
        <EmptyState
          icon="planned"
          title={t("list.empty")}
          actions={
            <Link href="/" className="act">
              {t("list.open")}
            </Link>
          }
        >
          {t("list.empty_text")}
        </EmptyState>
      ) : (
        <>
          <p className="suite-intro">{t("list.intro")}</p>
          <section className="suite-scroll" tabIndex={0} aria-label={t("title")}>
            <table className="suite-table suite-list">
              <thead>
                <tr>
                  <th scope="col">{t("list.name")}</th>
                  <th scope="col" className="num">
                    {t("list.cases")}
                  </th>
                  <th scope="col">{t("list.last")}</th>
                  <th scope="col">{t("list.passed")}</th>
                  <th scope="col">{t("form.agent")}</th>
                  <th scope="col">{t("list.when")}</th>
                  <th scope="col">{t("list.by")}</th>
                </tr>
              </thead>
              <tbody>
                {suites.map((suite) => (
                  <Row key={suite.name} suite={suite} />
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
      {isMaking && <MakeSuite onClose={() => setMaking(false)} />}
    </main>
  );
}

function Row({ suite: { name, cases, run, tried, passed } }: { suite: SuiteRow }) {
  const t = useTranslations("suites");
  const words = useSuiteWords();
  return (
    <tr>
      <th scope="row">
        <Link href={suiteAddress(name)}>{name}</Link>
      </th>
      <td className="num">{words.number(cases)}</td>
      {run ? (
        <>
          <td>
            <RunStatus run={run} />
            {isOpen(run) && (
              <span className="ml-2 text-fg-3 tabular-nums">
                {t("run.progress", { done: run.done, total: run.total })}
              </span>
            )}
          </td>
          <td className="suite-list-passed">
            {tried > 0 && (
              <>
                <span className={passed < tried ? "font-medium" : "text-fg-2"}>
                  {t("verdict.alone", { passed, total: tried })}
                </span>
                <span className="suite-list-bar" aria-hidden>
                  <span style={{ width: `${(passed / tried) * 100}%` }} />
                </span>
              </>
            )}
          </td>
          <td className="mono">{run.agent_id}</td>
          <td className="text-fg-2 tabular-nums">{words.time(run.started_at)}</td>
          <td className="text-fg-2">{actorName(run.started_by)}</td>
        </>
      ) : (
        <td colSpan={5} className="text-fg-3">
          {t("list.never")}
        </td>
      )}
    </tr>
  );
}

function MakeSuite({ onClose }: { onClose: () => void }) {
  const t = useTranslations("suites.list");
  const router = useRouter();
  const create = useCreateSuite();
  const submit = (data: FormData) =>
    create.mutate(String(data.get("name")).trim(), { onSuccess: ({ name }) => router.push(suiteAddress(name)) });
  return (
    <FormDialog
      title={t("new")}
      submit={t("make")}
      leave={t("cancel")}
      busy={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Labelled label={t("name")}>
        <input name="name" autoComplete="off" spellCheck={false} maxLength={64} className={FIELD} />
      </Labelled>
      <p className="text-11 text-fg-3">{t("name_rule")}</p>
      <Refusal error={create.error} />
    </FormDialog>
  );
}
