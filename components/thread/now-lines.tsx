"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Status } from "@/components/ui/status.ts";
import type { NowLine } from "./now.ts";

const STATUS: Record<NowLine["kind"], Status> = {
  escalated: "escalated",
  waits: "waiting",
  running: "running",
  failed: "failed",
  done: "succeeded",
  answered: "finished",
  nothing: "planned",
};

/** What is going on, in the lines over the thread: counted from the log. */
export function NowLines({ lines }: { lines: readonly NowLine[] }) {
  return (
    <ul className="flex flex-none flex-col gap-0.75 border-line border-b bg-canvas px-3 pt-2 pb-2.25 text-fg-2">
      {lines.map((line) => (
        <li key={line.kind} className="flex min-w-0 items-center gap-2">
          <StatusIcon status={STATUS[line.kind]} size={14} />
          <span className="min-w-0 truncate">
            <Words line={line} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Words({ line }: { line: NowLine }) {
  const t = useTranslations("thread.now");
  const strong = { b: (words: ReactNode) => <b className="font-semibold text-fg">{words}</b> };
  switch (line.kind) {
    case "escalated":
      return line.text === null ? t.rich("escalated", strong) : t.rich("escalatedWith", { ...strong, text: line.text });
    case "waits":
      return <>{t.rich("waits", { ...strong, what: line.what })}{more(t, line.more)}</>;
    case "running":
      if (line.what === "") return t("thinking");
      if (line.progress) return <>{t("runningOf", { what: line.what, ...line.progress })}{more(t, line.more)}</>;
      return <>{t("running", { what: line.what })}{more(t, line.more)}</>;
    case "failed":
      if (line.what === "") return line.reason === null ? t("runFailed") : t("runFailedWith", { reason: line.reason });
      return <>{t.rich("failed", { ...strong, what: line.what })}{line.reason === null ? "" : ` · ${line.reason}`}{more(t, line.more)}</>;
    case "done":
      return <>{t("done", { done: line.done, total: line.total })}{line.retried > 0 && t("retried", { count: line.retried })}</>;
    case "answered":
      return t("answered");
    case "nothing":
      return t("nothing");
    default:
      return line satisfies never;
  }
}

function more(t: ReturnType<typeof useTranslations<"thread.now">>, count: number): string {
  return count > 0 ? t("more", { count }) : "";
}
