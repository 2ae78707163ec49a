"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ShortValue } from "@/components/format/short-value.tsx";
import { useSelectCall } from "@/components/selection/use-select-call.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { PathPill } from "@/components/ui/path-pill.tsx";
import { shownStatus } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { printReference, type Reference, valueAt } from "@/lib/plan/reference.ts";
import type { Call } from "@/lib/session/session.ts";
import { CopyButton } from "../copy-button.tsx";
import { textOf } from "../json-rows.ts";
import { PathHistory } from "./path-history.tsx";
import { earlierValue, readersOf, writerAt } from "./state-paths.ts";
import type { StateView } from "./use-state-view.ts";

interface PathPanelProps {
  view: StateView;
  reference: Reference;
  onClear: () => void;
}

/** The selected path: its value, writer, readers, and earlier value. */
export function PathPanel({ view, reference, onClear }: PathPanelProps) {
  const t = useTranslations("inspector.path");
  const { session, looked, state, writers } = view;
  const isState = reference.kind === "state";
  const value = isState ? valueAt(state, reference.path) : undefined;
  const writer = isState && value !== undefined ? writerAt(writers, reference.path) : null;
  const readers = readersOf(session, looked, reference);
  const earlier = isState ? earlierValue(session, looked, reference.path) : null;
  const path = printReference(reference);

  return (
    <section
      aria-label={t("title")}
      className="max-h-[45%] flex-none overflow-y-auto border-line border-t bg-canvas px-3 py-2"
    >
      <header className="mb-0.5 flex min-h-5 items-center gap-1.5">
        <PathPill path={path} lit className="max-w-[60%] flex-none" />
        <CopyButton text={() => path} label={t("copyPath")} />
        <span className="flex-1" />
        {value !== undefined && (
          <>
            <span className="min-w-0 truncate font-medium text-fg tabular-nums">
              <ShortValue value={value} />
            </span>
            <CopyButton text={() => textOf(value)} label={t("copyValue")} />
          </>
        )}
        <button
          type="button"
          aria-label={t("clear")}
          title={t("clear")}
          onClick={onClear}
          className="inline-flex size-6 items-center justify-center rounded-1 text-fg-3 hover:bg-active hover:text-fg"
        >
          <Icon name="close" size={12} />
        </button>
      </header>
      <dl className="grid grid-cols-[64px_minmax(0,1fr)_auto] items-center gap-x-1.5">
        {value === undefined && <Line label={t("value")}>{isState ? t("absent") : t("input")}</Line>}
        {writer && (
          <Line label={t("written")} step={writer.write.seq} worded>
            <Icon name="write" size={14} className="text-fg-2" />
            <CallName call={writer.call} name={writer.write.call_id ?? t("nobody")} />
          </Line>
        )}
        {readers.map((reader, index) => (
          <Line key={reader.id} label={index === 0 ? t("read") : ""} step={reader.call?.started_seq ?? null}>
            <Icon name="read" size={14} className="text-fg-2" />
            <CallName call={reader.call} name={reader.tool} />
            {reader.as && <span className="min-w-0 shrink-99 truncate text-fg-3">{t("as", { path: reader.as })}</span>}
            {reader.call && reader.call.started_seq === null && (
              <StatusIcon status={shownStatus(reader.call)} size={14} />
            )}
          </Line>
        ))}
        {readers.length === 0 && <Line label={t("read")}>{t("unread")}</Line>}
        {earlier && (
          <Line label={t("before")} aside={t("run", { number: earlier.number })}>
            <span className="min-w-0 truncate text-fg-2 tabular-nums">
              <ShortValue value={earlier.value} />
            </span>
          </Line>
        )}
      </dl>
      {isState && <PathHistory path={path} instance={looked.instance} />}
    </section>
  );
}

interface LineProps {
  label: string;
  children: ReactNode;
  step?: number | null;
  /** Shows "step" before the number. */
  worded?: boolean;
  aside?: string;
}

function Line({ label, children, step = null, worded = false, aside }: LineProps) {
  const t = useTranslations("inspector.path");
  const jump = useStudio((state) => state.jump);
  return (
    <div className="col-span-3 grid min-h-6 grid-cols-subgrid items-center">
      <dt className="text-fg-3">{label}</dt>
      <dd className="flex min-w-0 items-center gap-1.5 whitespace-nowrap">{children}</dd>
      <dd className="text-right text-11 text-fg-3 tabular-nums">
        {step !== null && (
          <button
            type="button"
            onClick={() => jump(step)}
            aria-label={t("goTo", { step })}
            className="min-h-6 min-w-6 text-right hover:text-fg hover:underline"
          >
            {worded ? t("step", { step }) : step}
          </button>
        )}
        {aside}
      </dd>
    </div>
  );
}

function CallName({ call, name }: { call: Call | null; name: string }) {
  const selectCall = useSelectCall();
  if (!call) return <span className="min-w-0 truncate">{name}</span>;
  return (
    <button
      type="button"
      onClick={() => selectCall(call)}
      className="min-h-6 min-w-0 truncate text-left font-medium hover:underline"
    >
      {call.tool}
    </button>
  );
}
