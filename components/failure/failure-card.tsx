"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { sessionSource } from "@/components/replay/load-session.ts";
import { useStudio, useStudioStore } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { useCopy } from "@/components/ui/use-copy.ts";
import type { FailureReport } from "@/lib/session/failure/report.ts";
import { fromView } from "@/lib/session/view.ts";
import { closeFailure, failureAddress, type NEWEST } from "./failure-address.ts";
import { FailureAnswers } from "./failure-answers.tsx";
import { useGoFromCard } from "./failure-source.tsx";
import { turnOf } from "./turn-of.ts";
import { type ShownFailure, useFailure, useFailureSteps } from "./use-failure.ts";
import { useOpenFailure } from "./use-open-failure.ts";

const ForkDialog = dynamic(() => import("@/components/fork/fork-dialog.tsx").then((module) => module.ForkDialog), {
  loading: () => null,
});

/** How long the report may take until the card says that it is loading, ms. */
const PATIENCE = 500;

/** What failed and why, in the order in which people ask (C2a). */
export function FailureCard({ asked }: { asked: number | typeof NEWEST }) {
  const t = useTranslations("failure");
  const dialog = useRef<HTMLDialogElement>(null);
  const steps = useFailureSteps(asked);
  const seq = steps.data?.seq ?? null;
  const { shown, error, isPending } = useFailure(seq);
  const problem = steps.error ?? error;
  const isNone = steps.data !== undefined && (seq === null || !isPending) && shown === null;

  const isReady = shown !== null || problem !== null || isNone;
  // The outside system is the browser's top layer. A card that opened empty would move when it is filled.
  useEffect(() => {
    const show = () => dialog.current?.open || dialog.current?.showModal();
    const timer = setTimeout(show, isReady ? 0 : PATIENCE);
    return () => clearTimeout(timer);
  }, [isReady]);

  return (
    <dialog
      ref={dialog}
      aria-labelledby="failure-heading"
      onClose={({ target }) => {
        if (target === dialog.current) closeFailure();
      }}
      className="dialog mt-[7vh]! w-176 max-w-[94vw] border-t-3! border-t-st-failed! text-12 text-fg phone:mt-auto! phone:mb-0! phone:w-full! phone:max-w-full! phone:rounded-b-none! phone:text-13"
    >
      {shown ? (
        <Report shown={shown} previous={steps.data?.previous ?? null} next={steps.data?.next ?? null} />
      ) : (
        <div className={`flex gap-2 px-4 py-3.5 ${isReady ? "items-center" : "items-start phone:h-[92vh]"}`}>
          <h2 id="failure-heading" role="status" className="min-w-0 flex-1 text-13 font-semibold wrap-anywhere">
            {problem ? problem.message : t(isNone ? "none" : "loading")}
          </h2>
          <CloseButton />
        </div>
      )}
    </dialog>
  );
}

function CloseButton() {
  const t = useTranslations("failure");
  return (
    <form method="dialog" className="contents">
      <Button
        type="submit"
        variant="ghost"
        square
        className="phone:size-11!"
        aria-label={t("close")}
        title={t("close")}
      >
        <Icon name="close" size={14} />
      </Button>
    </form>
  );
}

interface ReportProps {
  shown: ShownFailure;
  previous: number | null;
  next: number | null;
}

function Report({ shown, previous, next }: ReportProps) {
  const t = useTranslations("failure");
  const { report } = shown;
  return (
    <div className="flex max-h-[86vh] flex-col phone:h-[92vh] phone:max-h-none">
      <header className="flex-none border-line border-b px-4 pt-3.5 pb-3">
        <div className="flex min-w-0 items-center gap-2">
          <Icon name={report.kind === "alert" ? "escalated" : "failed"} className="flex-none text-st-failed" />
          <h2 id="failure-heading" className="min-w-0 truncate text-14 font-semibold">
            <WhatFailed report={report} />
          </h2>
          <span className="min-w-0 flex-none truncate text-fg-3 tabular-nums phone:hidden">
            <Where shown={shown} />
          </span>
          <span className="flex-1" />
          {(previous !== null || next !== null) && (
            <span className="flex flex-none">
              <Neighbour seq={previous} icon="up" label={t("previous")} />
              <Neighbour seq={next} icon="down" label={t("next")} />
            </span>
          )}
          <CloseButton />
        </div>
        <p className="hidden pt-0.5 text-fg-3 tabular-nums phone:block">
          <Where shown={shown} />
        </p>
        <ErrorText report={report} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <FailureAnswers shown={shown} />
      </div>
      <Actions shown={shown} />
    </div>
  );
}

function WhatFailed({ report: { failure, call, kind } }: { report: FailureReport }): ReactNode {
  const t = useTranslations("failure.what");
  return t(kind, { name: call?.tool ?? failure.name ?? "" });
}

function Where({ shown: { report, now } }: { shown: ShownFailure }): ReactNode {
  const t = useTranslations("failure");
  const turn = report.run && turnOf(now, report.run);
  const tries = report.call ? report.call.tries.length + 1 : 1;
  return [
    ...(turn === null ? [] : [t("run", { number: turn })]),
    t("step", { step: report.seq }),
    ...(tries > 1 ? [t("tries", { count: tries })] : []),
  ].join(" · ");
}

/** The error with the values that it names underlined. */
function ErrorText({ report: { failure, inputs } }: { report: FailureReport }) {
  const reason = useReasonText();
  const message = reason(failure.message);
  if (message === "" && failure.code === null) return null;
  // Many agents have no codes of their own: "error" before "Error: …" says nothing.
  const code = message.toLowerCase().startsWith(failure.code?.toLowerCase() ?? "") ? null : failure.code;
  const [named] = inputs.filter((input) => input.named);
  const text = named === undefined ? "" : String(named.value);
  const at = text === "" ? -1 : message.lastIndexOf(text);
  return (
    <p className="mt-2 max-h-40 overflow-y-auto rounded-2 bg-st-failed-bg px-2.5 py-1.5 font-mono text-12 text-st-failed wrap-anywhere whitespace-pre-wrap">
      {code !== null && <span className="opacity-75">{code} </span>}
      {at === -1 ? (
        message
      ) : (
        <>
          {message.slice(0, at)}
          <b className="font-semibold underline underline-offset-3">{text}</b>
          {message.slice(at + text.length)}
        </>
      )}
    </p>
  );
}

function Neighbour({ seq, icon, label }: { seq: number | null; icon: "up" | "down"; label: string }) {
  const openFailure = useOpenFailure();
  return (
    <Button
      variant="ghost"
      square
      className="phone:size-11!"
      aria-label={label}
      title={label}
      disabled={seq === null}
      onClick={() => seq !== null && openFailure(seq)}
    >
      <Icon name={icon} size={14} />
    </Button>
  );
}

/** What is shown of a failure without a call. */
const EVENT = { tab: "event" } as const;

const ACTION = "h-8! phone:h-13! phone:flex-1 phone:flex-col phone:gap-0.5!";

function Actions({ shown: { report } }: { shown: ShownFailure }) {
  const t = useTranslations("failure");
  const store = useStudioStore();
  const go = useGoFromCard();
  const fork = useForkBefore(report);
  const [outcome, copy] = useCopy();
  const from = report.run?.started_seq ?? report.call?.started_seq ?? report.seq;
  const replay = () => {
    go.toStep(from);
    store.getState().play();
  };
  return (
    <footer className="flex flex-none flex-wrap items-center gap-1.5 border-line border-t bg-surface px-4 py-2.5">
      <Button variant="primary" autoFocus className={ACTION} onClick={replay}>
        <Icon name="play" size={14} />
        {t("replay", { step: from })}
      </Button>
      <RequirePermission permission="operate">
        <Button className={ACTION} aria-haspopup="dialog" disabled={fork.isLoading} onClick={() => fork.setOpen(true)}>
          <Icon name="fork" size={14} />
          {t("fork")}
        </Button>
      </RequirePermission>
      <Button
        className={ACTION}
        onClick={() => (report.call ? go.toCall(report.call, report.seq) : go.toStep(report.seq, EVENT))}
      >
        <Icon name="right" size={14} />
        {t("show")}
      </Button>
      <span className="flex-1 phone:hidden" />
      <Button className={ACTION} onClick={() => copy(failureAddress(report.seq))}>
        <Icon name={outcome === "copied" ? "check" : "share"} size={14} />
        {outcome === null ? t("copyLink") : t(outcome)}
      </Button>
      {fork.session && <ForkDialog session={fork.session} name={null} onClose={() => fork.setOpen(false)} />}
    </footer>
  );
}

/**
 * The dialog that forks the conversation before the call that failed. The session is loaded with the card: a dialog that opens
 * long after its click counts as one with the card, and Escape closes both.
 */
function useForkBefore({ call, seq }: FailureReport) {
  const id = useStudio((state) => state.conversationId);
  const [isOpen, setOpen] = useState(false);
  const at = Math.max(0, (call?.started_seq ?? seq) - 1);
  const { data } = useQuery({
    queryKey: ["view", id, at],
    queryFn: async ({ signal }) => fromView(await sessionSource(id).view(at, signal)),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  return { session: (isOpen && data) || null, isLoading: !data, setOpen };
}
