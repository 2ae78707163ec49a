"use client";

import "./suites.css";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { ApiErrorAlert } from "@/components/client/api-error-alert.tsx";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import type { SuiteRun } from "@/lib/api/shapes.ts";
import { suiteAddress } from "./addresses.ts";
import { CaseTable } from "./case-table.tsx";
import { Promotion } from "./promotion.tsx";
import { isOpen, useCancelRun, useSuite, useSuiteRun } from "./queries.ts";
import { RunForm } from "./run-form.tsx";
import { RunStatus } from "./run-status.tsx";
import { SuiteSide } from "./suite-side.tsx";
import { useSuiteWords } from "./use-suite-words.ts";
import { SuiteVerdict } from "./verdict.tsx";

interface SuitePageProps {
  name: string;
  /** The run in the address; by default the newest. */
  run: string | null;
  against: string | null;
  /** The model that agents are answered by. */
  model: string;
}

/** A suite: what came of a run, case by case, and a form to change the agent and run again. */
export function SuitePage({ name, run: asked, against, model }: SuitePageProps) {
  const t = useTranslations("suites");
  const router = useRouter();
  const { data: suite } = useSuite(name);
  const runs = suite?.runs ?? [];
  const chosen = asked ?? runs[0]?.id ?? null;
  const { data: told, error } = useSuiteRun(name, chosen, against);
  const [isChanging, setChanging] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const closeForm = () => {
    setChanging(false);
    opener.current?.focus();
  };
  const cases = suite?.cases ?? [];
  return (
    <main id="main" tabIndex={-1} className="suites">
      <div className="suite-bar">
        <h1 className="flex min-w-0 items-baseline gap-1.5">
          <Link href="/suites" className="font-normal text-fg-3 hover:text-fg">
            {t("title")}
          </Link>
          <span className="font-normal text-fg-3">/</span>
          <span className="truncate">{name}</span>
        </h1>
        <span className="text-fg-3 tabular-nums max-md:hidden">{t("page.recorded", { count: cases.length })}</span>
        {told && <Runs name={name} runs={runs} run={told.run} against={told.against?.run ?? null} />}
        <span className="grow" />
        {told && <RunActions name={name} run={told.run} />}
        <RequirePermission permission="test">
          <Button
            ref={opener}
            variant="primary"
            disabled={cases.length === 0}
            onClick={() => setChanging(true)}
            aria-pressed={isChanging}
          >
            <Icon name="play" size={14} />
            {t(suite && chosen === null ? "run.first" : "run.change")}
          </Button>
        </RequirePermission>
      </div>
      <ApiErrorAlert error={error} otherwise={t("case.gone")} className="m-3" />
      <div className="suite-body" data-changing={isChanging || undefined}>
        <div className="suite-main">
          {told ? (
            <>
              <SuiteVerdict told={told} />
              <CaseTable name={name} told={told} cases={cases} />
            </>
          ) : (
            suite &&
            chosen === null && (
              <EmptyState icon="planned" title={t("page.none")}>
                {t("page.none_text", { count: cases.length })}
                {cases.length > 0 && (
                  <ul className="mt-3 flex flex-col gap-1">
                    {cases.map(({ id, title }) => (
                      <li key={id} className="flex items-center gap-2">
                        <Icon name="planned" size={14} className="text-fg-3" />
                        {title}
                      </li>
                    ))}
                  </ul>
                )}
              </EmptyState>
            )
          )}
        </div>
        {isChanging ? (
          <RunForm
            name={name}
            cases={cases}
            told={told ?? null}
            model={model}
            onClose={closeForm}
            onStarted={({ id }) => {
              closeForm();
              router.push(suiteAddress(name, id));
            }}
          />
        ) : (
          told && <SuiteSide told={told} runs={runs} />
        )}
      </div>
    </main>
  );
}

/** Chooses the run, and the one that it is compared with. */
function Runs({
  name,
  runs,
  run,
  against,
}: {
  name: string;
  runs: readonly SuiteRun[];
  run: SuiteRun;
  against: SuiteRun | null;
}) {
  const t = useTranslations("suites.run");
  const words = useSuiteWords();
  const router = useRouter();
  const label = (one: SuiteRun) => `${one.agent_id} ${one.version.slice(0, 6)}`;
  const earlier = runs.filter(({ id, status }) => id !== run.id && status === "finished");
  return (
    <>
      <Menu className="suite-pick" trigger={<Picked what={t("pick")} value={words.time(run.started_at)} />}>
        {runs.map((one) => (
          <MenuItem key={one.id} checked={one.id === run.id} onSelect={() => router.push(suiteAddress(name, one.id))}>
            <span className="tabular-nums">{words.time(one.started_at)}</span>
            <span className="mono text-fg-3">{label(one)}</span>
            <RunStatus run={one} />
          </MenuItem>
        ))}
      </Menu>
      {earlier.length > 0 && (
        <Menu
          className="suite-pick"
          trigger={<Picked what={t("against")} value={against ? label(against) : t("nothing")} />}
        >
          {earlier.map((one) => (
            <MenuItem
              key={one.id}
              checked={one.id === against?.id}
              onSelect={() => router.push(suiteAddress(name, run.id, one.id))}
            >
              <span className="tabular-nums">{words.time(one.started_at)}</span>
              <span className="mono text-fg-3">{label(one)}</span>
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}

function Picked({ what, value }: { what: string; value: string }) {
  return (
    <>
      <span className="text-fg-3">{what}</span>
      <span className="truncate font-medium tabular-nums">{value}</span>
      <Icon name="down" size={12} />
    </>
  );
}

/** What can be done with a run: cancel it, or promote its version. */
function RunActions({ name, run }: { name: string; run: SuiteRun }) {
  const t = useTranslations("suites.run");
  const cancel = useCancelRun(name);
  if (isOpen(run))
    return (
      <RequirePermission permission="test">
        <Button variant="danger" disabled={cancel.isPending} onClick={() => cancel.mutate(run.id)}>
          {t("cancel")}
        </Button>
      </RequirePermission>
    );
  return <Promotion run={run} />;
}
