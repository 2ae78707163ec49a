"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { CompareLink } from "@/components/compare/compare-link.tsx";
import { ForkButton } from "@/components/fork/fork-button.tsx";
import { ForksMenu } from "@/components/fork/forks-menu.tsx";
import { instanceOf, isInInstance, rootRun, topLevelRuns } from "@/components/selection/resolve-selection.ts";
import { findCall } from "@/components/selection/select-call.ts";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useSelectCall } from "@/components/selection/use-select-call.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { InstanceSwitch } from "@/components/studio/header/instance-switch.tsx";
import { RunActions } from "@/components/studio/header/run-actions.tsx";
import { conversationName } from "@/components/studio/header/run-name.ts";
import { RunStatusIcon } from "@/components/studio/header/run-status-icon.tsx";
import { ShareButton } from "@/components/studio/header/share-button.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { CallDetail } from "@/components/thread/call-list.tsx";
import { keyOf } from "@/components/thread/call-rows.ts";
import { CurrentStepBar } from "@/components/thread/thread-pane.tsx";
import { shownStatus } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Call, Run, Session } from "@/lib/session/session.ts";

/** The most characters of a message. */
const LETTERS = 120;

/** A run: the message that caused it, and its calls with those of its delegates. */
interface Band {
  run: Run;
  number: number;
  words: string;
  calls: Call[];
}

/** The calls in order, by run: a graph does not fit a phone. */
export function PhonePlan() {
  const t = useTranslations();
  const id = useStudio((state) => state.conversationId);
  const session = useStudio((state) => state.session);
  const looked = useResolvedSelection(session);
  const [{ call }] = useSelection();
  const bands = useMemo(() => bandsOf(session, looked.instance), [session, looked.instance]);
  const selected = findCall(session, looked, call);
  return (
    <section aria-label={t("studio.phone.plan")} className="flex h-full flex-col">
      <div className="flex h-13 flex-none items-center gap-1 overflow-x-auto border-line border-b bg-surface px-2">
        <InstanceSwitch />
        <RunActions />
        <span className="flex-1" />
        <ForksMenu />
        <ForkButton name={conversationName(session, null)} />
        <CompareLink id={id} />
        <ShareButton />
      </div>
      <div ref={toWhatWaits} className="phone-plan">
        {bands.length === 0 && <p className="p-4 text-fg-3">{t("studio.phone.noRuns")}</p>}
        {bands.map((band) => (
          <BandView key={band.run.id} band={band} selected={selected} />
        ))}
        <CurrentStepBar at={session.at} />
      </div>
    </section>
  );
}

const GESTURES = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/**
 * Scrolls to a parked call, or else to the end. Bands are measured when they become visible, so the position is
 * corrected until the reader scrolls.
 */
function toWhatWaits(bands: HTMLElement | null) {
  if (!bands) return;
  const observer = new ResizeObserver(() => {
    const card = bands.querySelector("[data-status=parked]");
    if (card) card.scrollIntoView({ block: "center" });
    else bands.scrollTop = bands.scrollHeight;
  });
  const leave = () => observer.disconnect();
  for (const band of bands.children) observer.observe(band);
  for (const gesture of GESTURES) bands.addEventListener(gesture, leave, { passive: true, once: true });
  return leave;
}

function BandView({ band: { run, number, words, calls }, selected }: { band: Band; selected: Call | null }) {
  const t = useTranslations();
  const jump = useStudio((state) => state.jump);
  const failed = calls.filter((call) => shownStatus(call) === "failed").length;
  const goThere = () => run.ended_seq !== null && jump(run.ended_seq);
  const head = (
    <>
      <RunStatusIcon run={run} />
      <span className="flex-none font-semibold tabular-nums">{t("studio.run.number", { number })}</span>
      <span className="min-w-0 flex-1 truncate text-fg-2">{words !== "" && t("timeline.quote", { text: words })}</span>
      {calls.length > 0 && (
        <span className="flex-none text-11 whitespace-nowrap text-fg-3 tabular-nums">
          {t("thread.calls", { count: calls.length })}
        </span>
      )}
    </>
  );
  return (
    <section className="phone-band" data-failed={failed > 0 || undefined}>
      <h3>
        {calls.length > 0 || run.ended_seq === null ? (
          <span className="flex items-center gap-2">{head}</span>
        ) : (
          // Calls of old runs are loaded with their own steps.
          <button type="button" className="flex h-11 w-full items-center gap-2 text-left" onClick={goThere}>
            {head}
          </button>
        )}
      </h3>
      {calls.length > 0 && (
        <ul className="mt-2 flex flex-col gap-2">
          {calls.map((call) => (
            <Card key={keyOf(call)} call={call} isNested={call.run_id !== run.id} isSelected={call === selected} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Card({ call, isNested, isSelected }: { call: Call; isNested: boolean; isSelected: boolean }) {
  const t = useTranslations("events.call_status");
  const words = useTranslations("inspector");
  const select = useSelectCall();
  const status = shownStatus(call);
  const step = call.ended_seq ?? call.started_seq ?? call.parked_seq;
  return (
    <li className={isNested ? "pl-5" : ""}>
      <button
        type="button"
        data-status={status}
        aria-pressed={isSelected}
        onClick={() => select(call)}
        className="phone-card"
      >
        <span className="flex items-center gap-2">
          <StatusIcon status={status} label={t(status)} />
          <span className="min-w-0 flex-1 truncate font-semibold">{call.tool}</span>
          {step !== null && (
            <span className="flex-none text-11 font-normal text-fg-3 tabular-nums">{words("step", { step })}</span>
          )}
        </span>
        <span className="phone-card-detail">
          <CallDetail call={call} delegate={null} plannedOnly={false} about={null} />
        </span>
      </button>
    </li>
  );
}

function bandsOf(session: Session, instance: string): Band[] {
  const byRun = new Map<string, Call[]>();
  for (const call of session.calls.values()) {
    if (!isInInstance({ instance: instanceOf(session, call) }, instance)) continue;
    const root = rootRun(session, call.run_id ?? "")?.id ?? "";
    byRun.set(root, [...(byRun.get(root) ?? []), call]);
  }
  return topLevelRuns(session).map((run, index) => ({
    run,
    number: session.runs_before + index + 1,
    words: wordsBefore(session, run),
    calls: byRun.get(run.id) ?? [],
  }));
}

/** The user's message that caused a run; empty when it is not loaded. */
function wordsBefore({ messages }: Session, { started_seq }: Run): string {
  const content = messages.findLast(({ role, seq }) => role === "user" && seq <= started_seq)?.content;
  return typeof content === "string" ? content.slice(0, LETTERS) : "";
}
