"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { Changes } from "@/components/compare/changes.tsx";
import { DifferenceMark } from "@/components/compare/difference-mark.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { CaseResult } from "@/lib/api/shapes.ts";

type Result = CaseResult["items"][number]["result"];
type Pair = Result["difference"]["steps"][number];

const STANDING = { same: "same", changed: "changed", removed: "a", added: "b" } as const;

interface StepPairsProps {
  result: Result;
  chosen: number | null;
  onChoose: (step: number) => void;
}

/** The steps of both sides, paired; those before the first difference are folded. */
export function StepPairs({ result, chosen, onChoose }: StepPairsProps) {
  const t = useTranslations("suites.case");
  const { steps, first } = result.difference;
  const folded = first ?? steps.length;
  const shown = steps.map((pair, index) => ({ pair, index })).slice(folded > 1 ? folded : 0);
  const answers = answersByStep(result);
  return (
    <section>
      <h2>
        {t("steps")} <span>{steps.length}</span>
      </h2>
      {first === null && (
        <p className="flex items-center gap-2 px-3 pb-2 text-fg-2">
          <Icon name="succeeded" size={14} className="text-st-succeeded" />
          {t("none")}
        </p>
      )}
      {folded > 1 && (
        <details className="border-line border-b">
          <summary className="cursor-pointer px-3 py-1.5 text-fg-3">{t("alike", { count: folded })}</summary>
          <ol>
            {steps.slice(0, folded).map((pair, index) => (
              <Step
                key={keyOf(pair)}
                {...{ pair, index, first, chosen, onChoose }}
                answer={answers.get(index) ?? null}
              />
            ))}
          </ol>
        </details>
      )}
      <ol>
        {shown.map(({ pair, index }) => (
          <Step key={keyOf(pair)} {...{ pair, index, first, chosen, onChoose }} answer={answers.get(index) ?? null} />
        ))}
      </ol>
    </section>
  );
}

interface StepProps {
  pair: Pair;
  index: number;
  first: number | null;
  chosen: number | null;
  answer: Result["answers"][number] | null;
  onChoose: (step: number) => void;
}

function Step({ pair, index, first, chosen, answer, onChoose }: StepProps) {
  const t = useTranslations("suites.case");
  const { kind, recorded, now } = pair;
  const step = now ?? recorded;
  const isChosen = index === chosen;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  if (!step) return null;
  const result = now?.kind === "call" ? now.result : recorded?.kind === "call" ? recorded.result : null;
  return (
    <li ref={row}>
      <button
        type="button"
        className="diff-step"
        aria-current={isChosen ? "true" : undefined}
        onClick={() => onChoose(index)}
      >
        <span className="number">{index + 1}</span>
        <DifferenceMark standing={STANDING[kind]} />
        <span
          className={`min-w-0 wrap-anywhere ${kind === "removed" ? "gone" : kind === "same" ? "text-fg-2" : "font-medium"}`}
        >
          {step.kind === "call" ? step.tool : t("says")}
          {step.kind === "says" && (
            <span className="ml-1.5 font-normal text-fg-3">{t("words_count", { count: countOf(step.content) })}</span>
          )}
        </span>
        {index === first ? (
          <span className="diff-first">{t("first")}</span>
        ) : (
          step.kind === "call" &&
          result && (
            <Icon
              name={result.ok ? "succeeded" : "failed"}
              size={14}
              className={result.ok ? "text-fg-3" : "text-st-failed"}
            />
          )
        )}
      </button>
      {isChosen && <Detail pair={pair} answer={answer} />}
    </li>
  );
}

/** What differs in a step, and what answered it. */
function Detail({ pair: { recorded, now, params, result }, answer }: { pair: Pair; answer: StepProps["answer"] }) {
  const t = useTranslations("suites.case");
  const step = now ?? recorded;
  if (step?.kind === "says")
    return <p className="diff-detail text-fg-2 whitespace-pre-wrap wrap-anywhere">{step.content}</p>;
  return (
    <div className="diff-detail flex flex-col gap-1.5">
      {answer && (
        <p className={answer.from === "recorded" ? "text-fg-3" : "text-st-waiting"}>
          {t(`from.${answer.from}`, { count: answer.differs })}
        </p>
      )}
      {params.length > 0 && <Changes changes={params.map(whole)} label={t("params")} />}
      {result.length > 0 && (
        <>
          <h3 className="text-11 text-fg-3">{t("result")}</h3>
          <Changes changes={result.map(whole)} label={t("result")} />
        </>
      )}
      {params.length === 0 && result.length === 0 && step?.kind === "call" && (
        <pre className="overflow-auto font-mono text-11 leading-[17px] wrap-anywhere whitespace-pre-wrap">
          {JSON.stringify(step.params, null, 1)}
        </pre>
      )}
    </div>
  );
}

function whole(change: Pair["params"][number]) {
  return { ...change, before: change.before, after: change.after };
}

/** Answers come in the order of the calls that were made. */
function answersByStep({ answers, difference: { steps } }: Result): Map<number, Result["answers"][number]> {
  const left = [...answers];
  const found = new Map<number, Result["answers"][number]>();
  for (const [index, { now }] of steps.entries()) {
    if (now?.kind !== "call") continue;
    const at = left.findIndex(({ tool }) => tool === now.tool);
    const [answer] = at < 0 ? [] : left.splice(at, 1);
    if (answer) found.set(index, answer);
  }
  return found;
}

function keyOf({ recorded, now }: Pair): string {
  return `${recorded?.seq} ${now?.seq}`;
}

function countOf(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
