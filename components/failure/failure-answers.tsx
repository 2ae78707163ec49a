"use client";

import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { useShortValue } from "@/components/format/use-short-value.ts";
import { plainText } from "@/components/list/row/plain-text.ts";
import { shownRunStatus } from "@/components/studio/header/shown-run-status.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Link } from "@/components/ui/link.tsx";
import { PathPill } from "@/components/ui/path-pill.tsx";
import { shownStatus } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { FailureInput, FailureReport } from "@/lib/session/failure/report.ts";
import type { Call } from "@/lib/session/session.ts";
import type { ValueSource } from "@/lib/session/values/value-sources.ts";
import { FAILURE } from "./failure-address.ts";
import { FailureSourceChip, useGoFromCard } from "./failure-source.tsx";
import { turnOf } from "./turn-of.ts";
import { type ShownFailure, useSimilarFailures } from "./use-failure.ts";

/** The answers of the card: each question with what is known; what is unknown is left out. */
export function FailureAnswers({ shown }: { shown: ShownFailure }) {
  const { report } = shown;
  return (
    <dl>
      <NamedValue inputs={report.inputs} />
      <Inputs key={report.seq} inputs={report.inputs} />
      <StateBefore report={report} />
      <Stopped shown={shown} />
      <Said said={shown.said} />
      <Recovery shown={shown} />
      <Elsewhere seq={report.seq} />
    </dl>
  );
}

function Answer({ question, children }: { question: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[124px_minmax(0,1fr)] gap-x-4 gap-y-0.5 border-line border-b px-4 py-2.5 last:border-b-0 phone:grid-cols-1">
      <dt className="text-fg-3">{question}</dt>
      <dd className="flex min-w-0 flex-col gap-1.5">{children}</dd>
    </div>
  );
}

/** The value that the error names, back to what its source used. */
function NamedValue({ inputs }: { inputs: readonly FailureInput[] }) {
  const t = useTranslations("failure");
  const short = useShortValue();
  const [named] = inputs.filter((input) => input.named);
  if (!named) return null;
  const value = short(named.value);
  const origins = groupBySource(named.madeOf);
  return (
    <Answer question={t("why", { value })}>
      <p className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1">
        {origins.length > 0 && (
          <>
            {/* One below another: they are used together, not one from the other. */}
            <span className="grid min-w-0 gap-1">
              {origins.map(({ source, values }) => (
                <span key={keyOf(source)} className="flex min-w-0 flex-wrap items-center gap-1">
                  <FailureSourceChip source={source} />
                  <Arrow />
                  {values.map((text) => (
                    <Value key={text}>{text}</Value>
                  ))}
                </span>
              ))}
            </span>
            <Arrow />
          </>
        )}
        <FailureSourceChip source={named.source} />
        <Arrow />
        <Value lit>{value}</Value>
        <Arrow />
        <code className="font-mono text-11 font-medium text-st-failed wrap-anywhere">{named.path}</code>
      </p>
      <p className="text-fg-3">{named.source === null ? t("whyUnknown") : t("whyFound")}</p>
    </Answer>
  );
}

function Arrow() {
  return (
    <span aria-hidden className="flex-none text-fg-3">
      →
    </span>
  );
}

function Value({ lit = false, children }: { lit?: boolean; children: ReactNode }) {
  const look = lit ? "bg-accent text-accent-fg font-medium" : "border border-line-strong bg-surface";
  return (
    <span className={`inline-flex h-5 min-w-0 max-w-60 items-center rounded-1 px-1.25 font-mono text-11 ${look}`}>
      <span className="truncate">{children}</span>
    </span>
  );
}

function groupBySource(madeOf: FailureInput["madeOf"]): { source: ValueSource; values: string[] }[] {
  return [...Map.groupBy(madeOf, ({ source }) => keyOf(source)).values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ source: first.source, values: group.map(({ value }) => value) }] : [];
  });
}

function keyOf(source: ValueSource): string {
  switch (source.kind) {
    case "call":
      return [source.call.run_id, source.call.iteration, source.call.instance, source.call.id].join(" ");
    case "message":
      return String(source.seq);
    case "path":
      return source.path;
    default:
      return source satisfies never;
  }
}

/** Inputs that are shown before the others are asked for. */
const FEW = 4;

function Inputs({ inputs }: { inputs: readonly FailureInput[] }) {
  const t = useTranslations("failure");
  const short = useShortValue();
  const [isWhole, setWhole] = useState(false);
  const hasNamed = inputs[0]?.named === true;
  const others = hasNamed ? inputs.slice(1) : inputs;
  if (others.length === 0) return null;
  const shown = isWhole ? others : others.slice(0, FEW);
  return (
    <Answer question={t(hasNamed ? "otherInputs" : "inputs")}>
      <ul className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,auto)] gap-x-3 gap-y-1 phone:grid-cols-[minmax(0,1fr)_minmax(0,auto)]">
        {shown.map(({ path, value, source }) => (
          <li key={path} className="col-span-full grid min-h-5.5 grid-cols-subgrid items-center">
            <code className="truncate font-mono text-11 text-fg-3" title={path}>
              {path}
            </code>
            <span
              className="truncate font-mono text-11 phone:order-last phone:col-span-2"
              title={typeof value === "string" ? value : undefined}
            >
              {short(value)}
            </span>
            <span className="flex min-w-0 justify-end">
              <FailureSourceChip source={source} />
            </span>
          </li>
        ))}
      </ul>
      {others.length > shown.length && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="min-h-6 self-start text-fg-3 underline underline-offset-3 hover:text-fg phone:min-h-11"
        >
          {t("moreInputs", { count: others.length - shown.length })}
        </button>
      )}
    </Answer>
  );
}

function StateBefore({ report: { state } }: { report: FailureReport }) {
  const t = useTranslations("failure");
  const short = useShortValue();
  if (state.length === 0) return null;
  return (
    <Answer question={t("stateBefore")}>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {state.map(({ path, value, write }) => (
          <li key={path} className="flex min-w-0 items-center gap-1.5">
            <PathPill path={path} />
            <span className="max-w-60 truncate font-mono text-11">{short(value)}</span>
            {write && <Step seq={write.seq} />}
          </li>
        ))}
      </ul>
    </Answer>
  );
}

function Step({ seq }: { seq: number }) {
  const t = useTranslations("failure");
  const go = useGoFromCard();
  return (
    <button
      type="button"
      onClick={() => go.toStep(seq)}
      className="flex-none text-fg-3 tabular-nums hover:text-fg hover:underline phone:min-h-8"
    >
      {t("step", { step: seq })}
    </button>
  );
}

function Stopped({ shown: { report, now } }: { shown: ShownFailure }) {
  const t = useTranslations("failure");
  const { blocked, unwritten, ended, run } = report;
  const status = ended && shownRunStatus(ended);
  const isEnd = status === "failed" || status === "cancelled" || status === "escalated";
  if (run === null && blocked.length === 0) return null;
  const number = run && turnOf(now, run);
  return (
    <Answer question={t("stopped")}>
      {unwritten.length > 0 && (
        <p className="flex min-w-0 flex-wrap items-center gap-1">
          {t("unwritten")}
          {unwritten.map((path) => (
            <PathPill key={path} path={path} />
          ))}
        </p>
      )}
      {blocked.length > 0 ? <Calls calls={blocked} /> : report.kind === "call" && <p>{t("noneBlocked")}</p>}
      {status !== null && number !== null && (
        <p className="flex items-center gap-1.5">
          <StatusIcon status={status} size={14} />
          {t(isEnd ? `ended.${status}` : "ended.finished", { number })}
        </p>
      )}
    </Answer>
  );
}

/** Calls that are named before the rest is a number. */
const NAMED_CALLS = 6;

function Calls({ calls }: { calls: readonly Call[] }) {
  const t = useTranslations();
  const go = useGoFromCard();
  return (
    <ul className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {calls.slice(0, NAMED_CALLS).map((call) => (
        <li key={[call.iteration, call.instance, call.id].join(" ")} className="min-w-0">
          <button
            type="button"
            onClick={() => go.toCall(call)}
            className="inline-flex min-h-5.5 min-w-0 max-w-full items-center gap-1 hover:underline phone:min-h-8"
          >
            <StatusIcon status={shownStatus(call)} size={14} label={t(`events.call_status.${shownStatus(call)}`)} />
            <span className="truncate font-medium">{call.tool}</span>
          </button>
        </li>
      ))}
      {calls.length > NAMED_CALLS && (
        <li className="text-fg-3">{t("failure.moreCalls", { count: calls.length - NAMED_CALLS })}</li>
      )}
    </ul>
  );
}

function Said({ said }: { said: ShownFailure["said"] }) {
  const t = useTranslations("failure");
  const reason = useReasonText();
  return (
    <Answer question={t("said")}>
      {said === null ? (
        <p className="text-fg-3">{t("saidNothing")}</p>
      ) : (
        <blockquote className="border-l-2 border-line-strong pl-2.5 text-13 leading-[var(--lh-body)] text-pretty wrap-anywhere">
          <span className="line-clamp-6 whitespace-pre-line">{plainText(reason(said.content))}</span>
          <Step seq={said.seq} />
        </blockquote>
      )}
    </Answer>
  );
}

function Recovery({ shown: { report, now } }: { shown: ShownFailure }) {
  const t = useTranslations("failure");
  const go = useGoFromCard();
  if (report.kind !== "call" || report.call === null) return null;
  const { recovered } = report;
  const run = recovered && now.runs.get(recovered.run_id ?? "");
  const number = run ? turnOf(now, run) : null;
  return (
    <Answer question={t("recovered")}>
      {recovered === null ? (
        <p className="flex items-center gap-1.5">
          <StatusIcon status="failed" size={14} />
          {t("notRecovered", { tool: report.call.tool })}
        </p>
      ) : (
        <p className="flex min-w-0 flex-wrap items-center gap-1.5">
          <StatusIcon status="succeeded" size={14} />
          {number === null ? t("recoveredLater") : t("recoveredIn", { number })}
          <button
            type="button"
            onClick={() => go.toCall(recovered)}
            className="min-w-0 truncate font-medium hover:underline phone:min-h-8"
          >
            {recovered.tool}
          </button>
          {recovered.ended_seq !== null && <Step seq={recovered.ended_seq} />}
        </p>
      )}
    </Answer>
  );
}

/** The same failure in other conversations. */
function Elsewhere({ seq }: { seq: number }) {
  const t = useTranslations("failure");
  const format = useFormatter();
  const id = useStudio((state) => state.conversationId);
  const similar = useSimilarFailures(seq);
  if (similar === null || similar.failures === 0) return null;
  const { failures, conversations, cut, first, items } = similar;
  const others = items.filter((item) => item.conversation_id !== id);
  const isFirst = first?.conversation_id === id && first.seq === seq;
  return (
    <Answer question={t("elsewhere")}>
      <p>
        {failures === 1 ? (
          t("onlyHere")
        ) : (
          <b className="font-semibold tabular-nums">{t(cut ? "timesAtLeast" : "times", { failures, conversations })}</b>
        )}
        {failures > 1 && first && (
          <span className="text-fg-3">
            {" · "}
            {isFirst
              ? t("firstHere")
              : t("first", { at: format.dateTime(new Date(first.at), { dateStyle: "medium" }) })}
          </span>
        )}
      </p>
      {others.length > 0 && (
        <ul className="flex flex-col gap-0.5">
          {others.map((item) => (
            <li key={item.conversation_id} className="flex min-h-5.5 min-w-0 items-center gap-2 phone:min-h-8">
              <StatusIcon status="failed" size={14} />
              <span className="min-w-0 flex-1 truncate" title={item.message}>
                {item.message}
              </span>
              <Link
                href={`/conversations/${encodeURIComponent(item.conversation_id)}?${FAILURE}=${item.seq}`}
                className="max-w-1/2 min-w-0 truncate text-fg-2 underline underline-offset-3"
              >
                {item.name ?? item.conversation_id}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Answer>
  );
}
