"use client";

import "../suites.css";
import "@/components/compare/compare.css";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useMemo, useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { ApiErrorAlert } from "@/components/client/api-error-alert.tsx";
import { Changes } from "@/components/compare/changes.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { AskOnce } from "@/components/ui/ask-once.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import type { CaseResult } from "@/lib/api/shapes.ts";
import { suiteAddress } from "../addresses.ts";
import { useCaseResult, useExpect, useRemoveCase, useSuite } from "../queries.ts";
import { useSuiteWords } from "../use-suite-words.ts";
import { CaseScores } from "./case-scores.tsx";
import { ExpectScore } from "./expect-score.tsx";
import { expectedOf } from "./expected-of.ts";
import { SaidWords } from "./said-words.tsx";
import { StepPairs } from "./step-pairs.tsx";
import { callId, stepPlans } from "./step-plans.ts";
import { TakenTable } from "./taken-table.tsx";

type Result = CaseResult["items"][number]["result"];

/** Loaded on demand: it is most of the page's code. */
const PlanDrawing = dynamic(
  () => import("@/components/compare/plan/plan-drawing.tsx").then((room) => room.PlanDrawing),
  { loading: () => null },
);

interface CasePageProps {
  name: string;
  id: string;
  /** By default the newest run that has the case. */
  run: string | null;
  /** The try, from 1; by default the first that did not pass. */
  tried: number | null;
}

/** What a run did otherwise in a case: steps, both plans on one graph, state, words, checks, cost and time. */
export function CasePage({ name, id, run: asked, tried }: CasePageProps) {
  const t = useTranslations("suites");
  const { data: suite } = useSuite(name);
  const run = asked ?? suite?.runs.find(({ cases }) => cases.includes(id))?.id ?? null;
  const { data: told, error } = useCaseResult(name, run, id);
  const [chosen, setChosen] = useState(tried);
  const items = told?.items ?? [];
  const shown =
    items.find(({ number }) => number === chosen) ??
    items.find(({ result }) => result.outcome !== "passed") ??
    items[0] ??
    null;
  return (
    <main id="main" tabIndex={-1} className="suites">
      <div className="suite-bar">
        <h1 className="flex min-w-0 items-baseline gap-1.5">
          <Link href="/suites" className="font-normal text-fg-3 hover:text-fg max-md:hidden">
            {t("title")}
          </Link>
          <span className="font-normal text-fg-3 max-md:hidden">/</span>
          <Link href={suiteAddress(name, run)} className="font-normal text-fg-3 hover:text-fg">
            {name}
          </Link>
          <span className="font-normal text-fg-3">/</span>
          <span className="min-w-0 wrap-anywhere">{told?.case.title ?? id}</span>
        </h1>
        {told && items.length > 0 && <Verdict items={items} />}
        <span className="grow" />
        {told && <RemoveCase name={name} row={told.case} />}
        {told && (
          <Link className="act" href={`/conversations/${encodeURIComponent(told.case.conversation_id)}`}>
            {t("case.source")}
          </Link>
        )}
        {shown && items.length > 1 && (
          <Segmented
            label={t("keys.try")}
            value={String(shown.number)}
            options={items.map(({ number, result: { outcome } }) => ({
              value: String(number),
              label: (
                <>
                  <Icon
                    name={outcome === "passed" ? "check" : "close"}
                    size={12}
                    className={outcome === "passed" ? "text-st-succeeded" : "text-st-failed"}
                  />
                  {t("case.try", { number })}
                </>
              ),
            }))}
            onChange={(number) => setChosen(Number(number))}
          />
        )}
      </div>
      <ApiErrorAlert error={error} otherwise={t("case.gone")} className="m-3" />
      {told && <CaseScores conversation={told.case.conversation_id} />}
      {told && items.length === 0 && <p className="p-4 text-fg-2">{t("case.missing")}</p>}
      {shown && (
        <Difference
          key={`${run} ${shown.number}`}
          name={name}
          id={id}
          result={shown.result}
          identity={`${run} ${shown.number}`}
        />
      )}
    </main>
  );
}

function RemoveCase({ name, row: { id, title } }: { name: string; row: CaseResult["case"] }) {
  const t = useTranslations("suites.table");
  const router = useRouter();
  const remove = useRemoveCase(name);
  return (
    <RequirePermission permission="operate">
      <AskOnce
        trigger={t("remove_it")}
        label={t("remove")}
        confirm={t("remove_it")}
        keep={t("keep")}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSuccess: () => router.push(suiteAddress(name)) })}
      >
        <p>{t("remove_text", { title })}</p>
        <Refusal error={remove.error} />
      </AskOnce>
    </RequirePermission>
  );
}

function Verdict({ items }: { items: CaseResult["items"] }) {
  const t = useTranslations("suites.case.verdict");
  const passed = items.filter(({ result }) => result.outcome === "passed").length;
  const verdict = passed === items.length ? "passed" : passed === 0 ? "failed" : "flaky";
  const look = {
    passed: "bg-st-succeeded-bg text-st-succeeded",
    failed: "bg-st-failed-bg text-st-failed",
    flaky: "bg-st-waiting-bg text-st-waiting",
  }[verdict];
  return (
    <span className={`rounded-1 px-1.5 py-0.5 font-medium whitespace-nowrap ${look}`}>
      {t(verdict, { passed, tries: items.length })}
    </span>
  );
}

/** Makes what a try did what has to hold. */
function Expect({ name, id, result }: { name: string; id: string; result: Result }) {
  const t = useTranslations("suites.case");
  const change = useExpect(name, id);
  return (
    <div className="px-3 pb-3">
      {change.isSuccess ? (
        <p role="status" className="flex items-center gap-2 text-fg-2">
          <Icon name="succeeded" size={14} className="text-st-succeeded" />
          {t("made")}
        </p>
      ) : (
        <RequirePermission permission="operate" otherwise="nothing">
          <Button disabled={change.isPending} onClick={() => change.mutate(expectedOf(result))} className="max-w-full">
            <span className="truncate">{t("right")}</span>
          </Button>
        </RequirePermission>
      )}
      <Refusal error={change.error} />
    </div>
  );
}

interface DifferenceProps {
  name: string;
  id: string;
  result: Result;
  identity: string;
}

function Difference({ name, id, result, identity }: DifferenceProps) {
  const t = useTranslations("suites.case");
  const keys = useTranslations("suites.keys");
  const words = useSuiteWords();
  const { steps, first, state } = result.difference;
  const [step, setStep] = useState(first);
  const plans = useMemo(() => stepPlans(steps), [steps]);
  const select = useCallback((chosen: { call: string } | { path: string } | null) => {
    if (chosen && "call" in chosen) setStep(Number(chosen.call.replace("step-", "")) - 1);
  }, []);
  useDifferenceKeys(steps, first, step, setStep);
  const call = step !== null && isCall(steps[step]) ? callId(step) : null;
  const calls = steps.filter(isCall).length;
  return (
    <div className="diff">
      <div className="diff-pane">
        <StepPairs result={result} chosen={step} onChoose={setStep} />
        <section>
          <h2>
            {t("checks")}{" "}
            <span>
              {t("hold", { holds: result.checks.filter(({ holds }) => holds).length, all: result.checks.length })}
            </span>
          </h2>
          <ul className="flex flex-col gap-1.5 px-3 pb-3">
            {result.checks.map((checked) => (
              <li key={JSON.stringify(checked.expectation)} className="flex items-start gap-2">
                <Icon
                  name={checked.holds ? "succeeded" : "failed"}
                  size={14}
                  className={`mt-0.5 ${checked.holds ? "text-st-succeeded" : "text-st-failed"}`}
                />
                <span className={`min-w-0 wrap-anywhere ${checked.holds ? "text-fg-2" : "font-medium"}`}>
                  {checked.holds ? words.holds(checked) : words.why(checked)}
                </span>
              </li>
            ))}
            {result.reason && (
              <li className="flex items-start gap-2 text-st-failed">
                <Icon name="warn" size={14} className="mt-0.5" />
                <span className="min-w-0 wrap-anywhere">{result.reason}</span>
              </li>
            )}
          </ul>
          {result.differing > 0 && <Expect name={name} id={id} result={result} />}
          <ExpectScore name={name} id={id} />
        </section>
      </div>
      <section className="diff-pane diff-graph" aria-label={t("plans")}>
        <h2>
          {t("plans")} <span>{t("calls", { count: calls })}</span>
        </h2>
        {plans ? (
          <PlanDrawing
            pair={plans.pair}
            identity={identity}
            a={plans.a}
            b={plans.b}
            selected={{ call, path: null }}
            onSelect={select}
          />
        ) : (
          <p className="px-3 text-fg-2">{t("no_calls")}</p>
        )}
      </section>
      <section className="diff-pane diff-state" tabIndex={0} aria-label={t("state")}>
        <h2>
          {t("state")} <span>{state.length > 0 && t("differ", { count: state.length })}</span>
        </h2>
        {state.length === 0 ? (
          <p className="px-3 pb-3 text-fg-2">{t("state_same")}</p>
        ) : (
          <div className="px-2 pb-3">
            <Changes changes={state.map(toChange)} label={t("state")} />
          </div>
        )}
      </section>
      <div className="diff-foot">
        <SaidWords steps={steps} />
        <TakenTable result={result} />
      </div>
      {first !== null && (
        <p className="diff-keys">
          {(["first", "next", "previous"] as const).map((name) => (
            <span key={name}>
              <Kbd>{KEYS[name]}</Kbd>
              {keys(name)}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

const KEYS = { first: "F", next: "N", previous: "P" } as const;

/** JSON has no undefined: a side that lacks a value lacks the key. */
function toChange(change: Result["difference"]["state"][number]) {
  return { ...change, before: change.before, after: change.after };
}

function isCall(pair: Result["difference"]["steps"][number] | undefined): boolean {
  return pair?.recorded?.kind === "call" || pair?.now?.kind === "call";
}

/** F jumps to the first difference, N and P to the next and the previous one. */
function useDifferenceKeys(
  steps: Result["difference"]["steps"],
  first: number | null,
  at: number | null,
  go: (step: number | null) => void,
): void {
  useEffect(() => {
    const differing = steps.flatMap(({ kind }, index) => (kind === "same" ? [] : [index]));
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select, dialog")) return;
      const key = event.key.toLowerCase();
      if (key === "f") go(first);
      else if (key === "n") go(differing.find((one) => one > (at ?? -1)) ?? at);
      else if (key === "p") go(differing.findLast((one) => one < (at ?? steps.length)) ?? at);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [steps, first, at, go]);
}
