"use client";

import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { type ChangedLine, lineChanges } from "@/components/prompt/line-changes.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { SuiteRun, SuiteRunReport } from "@/lib/api/shapes.ts";
import { diffValues } from "@/lib/session/json/diff.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";
import { suiteAddress } from "./addresses.ts";
import { AnsweredBar } from "./case-table.tsx";
import { useAgentVersion, useAgentVersions } from "./queries.ts";
import { useSuiteWords } from "./use-suite-words.ts";

/** Beside a run: what was changed, what answered, why cases failed, and the runs before. */
export function SuiteSide({ told, runs }: { told: SuiteRunReport; runs: readonly SuiteRun[] }) {
  return (
    <aside className="suite-side">
      <Changed told={told} />
      <Answered told={told} />
      <Why told={told} />
      <LastRuns told={told} runs={runs} />
    </aside>
  );
}

/** The definition beside that of the run before, else that of the agent as it is. */
function Changed({ told: { run, against } }: { told: SuiteRunReport }) {
  const t = useTranslations("suites.side");
  const other = against?.run.agent_id === run.agent_id ? against.run : null;
  const { data: versions } = useAgentVersions(run.agent_id);
  const { data: now } = useAgentVersion(run.agent_id, run.version);
  const { data: was } = useAgentVersion(run.agent_id, other?.version ?? versions?.current ?? null);
  return (
    <section>
      <h2>
        {t("changed")} <span>{t(other ? "against" : "registered")}</span>
      </h2>
      {now && was && <Definitions before={was.definition} after={now.definition} />}
      <ul>
        <li>
          <Sign kind={other && other.model !== run.model ? "changed" : "same"} />
          <span className="grow">{t("model")}</span>
          <span className="mono truncate text-fg-3">
            {other && other.model !== run.model ? `${other.model} → ${run.model}` : run.model}
          </span>
        </li>
      </ul>
    </section>
  );
}

const FIELDS = [
  ...(["tools", "mode", "locale", "history", "max_iterations", "timezone", "description"] as const),
  ...(["default", "stage", "prefix"] as const),
];

function Definitions({ before, after }: { before: Json; after: Json }) {
  const t = useTranslations("suites.side");
  const [isShown, setShown] = useState(false);
  const [was, now] = [objectOf(before), objectOf(after)];
  const lines = useMemo(() => {
    const groups = lineChanges(String(was.instructions ?? ""), String(now.instructions ?? ""));
    return groups?.flatMap((group) => group.lines).filter(({ kind }) => kind !== "same") ?? [];
  }, [was.instructions, now.instructions]);
  const other = FIELDS.filter((field) => diffValues(was[field] ?? null, now[field] ?? null).length > 0);
  if (lines.length === 0 && other.length === 0) return <p className="text-fg-2">{t("nothing")}</p>;
  return (
    <>
      <ul>
        {lines.length > 0 && (
          <li>
            <Sign kind="changed" />
            <span className="grow">{t("instructions")}</span>
            <span className="text-fg-3 tabular-nums">
              {t("lines", {
                added: lines.filter(({ kind }) => kind === "add").length,
                removed: lines.filter(({ kind }) => kind === "remove").length,
              })}
            </span>
          </li>
        )}
        {other.map((field) => (
          <li key={field}>
            <Sign kind="changed" />
            <span className="grow">{t(`field.${field}`)}</span>
            <span className="text-fg-3">{t("differs")}</span>
          </li>
        ))}
      </ul>
      {lines.length > 0 &&
        (isShown ? (
          <Lines lines={lines} />
        ) : (
          <Button variant="ghost" className="-ml-1.5 self-start" onClick={() => setShown(true)}>
            {t("view")}
          </Button>
        ))}
    </>
  );
}

function Lines({ lines }: { lines: readonly ChangedLine[] }) {
  return (
    <div className="suite-lines">
      {lines.map(({ kind, words }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines stand as they are
        <p key={index} data-kind={kind}>
          <span aria-hidden>{kind === "add" ? "+" : "−"}</span>
          <span>{words.map(({ text }) => text).join("")}</span>
        </p>
      ))}
    </div>
  );
}

function Sign({ kind }: { kind: "changed" | "same" }) {
  return (
    <span className="suite-sign" data-kind={kind} aria-hidden>
      {kind === "changed" ? "~" : "="}
    </span>
  );
}

function Answered({ told: { report } }: { told: SuiteRunReport }) {
  const t = useTranslations("suites.side");
  const { answered } = report;
  const [calls, recorded, nearest, stub] = (["calls", "recorded", "nearest", "stub"] as const).map((field) =>
    answered.reduce((sum, one) => sum + one[field], 0),
  );
  const [total = 0, own = 0, near = 0, stood = 0] = [calls, recorded, nearest, stub];
  const stopped = total - own - near - stood;
  return (
    <section>
      <h2>
        {t("answers")} <span>{t("calls", { count: total })}</span>
      </h2>
      <ul>
        {answered.map((one) => (
          <li key={one.tool}>
            <span className="mono min-w-0 grow truncate">{one.tool}</span>
            <span className="w-20 flex-none">
              <AnsweredBar calls={one.calls} recorded={one.recorded} />
            </span>
            <span className={`suite-count ${one.recorded < one.calls ? "font-semibold" : "text-fg-3"}`}>
              {one.recorded}/{one.calls}
            </span>
          </li>
        ))}
      </ul>
      <p className="text-fg-2">
        {total === 0
          ? t("uncalled")
          : own === total
            ? t("all")
            : [
                t("some", { count: total - own }),
                near > 0 && t("nearest", { count: near }),
                stood > 0 && t("stub", { count: stood }),
                stopped > 0 && t("stopped", { count: stopped }),
                t("outside"),
              ]
                .filter(Boolean)
                .join(" ")}
      </p>
    </section>
  );
}

/** What did not hold, by how many cases. */
function Why({ told: { report } }: { told: SuiteRunReport }) {
  const t = useTranslations("suites.side");
  const words = useSuiteWords();
  const counts = new Map<string, number>();
  for (const { tries, verdict } of report.cases) {
    if (verdict === "passed" || verdict === null) continue;
    const all = tries.flatMap(({ reason, checks }) => [
      ...(reason === null ? [] : [reason]),
      ...checks.filter(({ holds }) => !holds).map(words.why),
    ]);
    for (const one of new Set(all)) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  if (counts.size === 0) return null;
  return (
    <section>
      <h2>{t("why")}</h2>
      <ul>
        {[...counts]
          .sort(([, one], [, other]) => other - one)
          .slice(0, MOST_REASONS)
          .map(([reason, count]) => (
            <li key={reason} className="items-start!">
              <Icon name="failed" size={14} className="mt-0.5 text-st-failed" />
              <span className="min-w-0 grow wrap-anywhere">{reason}</span>
              <span className="suite-count font-semibold">{count}</span>
            </li>
          ))}
      </ul>
    </section>
  );
}

const MOST_REASONS = 6;

/** The newest runs, oldest first, as how far each came. */
function LastRuns({ told: { run }, runs }: { told: SuiteRunReport; runs: readonly SuiteRun[] }) {
  const t = useTranslations("suites");
  const words = useSuiteWords();
  const shown = runs.slice(0, MOST_RUNS);
  if (shown.length < 2) return null;
  return (
    <section>
      <h2>{t("side.runs")}</h2>
      <ul>
        {shown.map((one) => (
          <li key={one.id}>
            <Link
              href={suiteAddress(one.suite, one.id)}
              aria-current={one.id === run.id ? "true" : undefined}
              className="suite-run-link"
            >
              <span className="tabular-nums">{words.time(one.started_at)}</span>
              <span className="mono min-w-0 grow truncate text-fg-3">{`${one.agent_id} ${one.version.slice(0, 6)}`}</span>
              <span className="text-fg-3">{t(`run.status.${one.status}`)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const MOST_RUNS = 8;

function objectOf(value: Json): Record<string, Json> {
  return isJsonObject(value) ? value : {};
}
