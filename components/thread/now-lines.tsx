"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useHasPermission } from "@/components/access/use-has-permission.ts";
import { knownReason } from "@/components/format/known-reason.ts";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { Link } from "@/components/ui/link.tsx";
import type { Status } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { NowLine } from "./now.ts";

const STATUS: Record<NowLine["kind"], Status> = {
  escalated: "escalated",
  takenOver: "escalated",
  waits: "waiting",
  noAnswer: "planned",
  unanswered: "approved",
  running: "running",
  queued: "queued",
  failed: "failed",
  replanned: "handled",
  denied: "denied",
  cancelled: "cancelled",
  shadow: "planned",
  simulated: "planned",
  done: "succeeded",
  answered: "finished",
  notRun: "planned",
  unread: "handled",
  nothing: "planned",
};

/** Short lines of the console wrap; lines with other texts are truncated. */
const WRAPS: ReadonlySet<NowLine["kind"]> = new Set([
  "noAnswer",
  "queued",
  "done",
  "shadow",
  "simulated",
  "cancelled",
  "notRun",
  "unread",
]);

/** The status lines above the thread, computed from the log. */
export function NowLines({ lines }: { lines: readonly NowLine[] }) {
  const t = useTranslations("thread.now");
  return (
    <ul className="flex min-h-13.25 flex-none flex-col gap-0.75 border-line border-b bg-canvas px-3 pt-2 pb-2.25 text-fg-2">
      {lines.map((line) => (
        <li key={line.kind} className={line.kind === "failed" ? CAUSE : "flex min-w-0 gap-2"}>
          <StatusIcon
            status={lookOf(line)}
            size={line.kind === "failed" ? 16 : 14}
            className={line.kind === "failed" ? "mt-0.5" : "mt-px"}
          />
          <span className={`min-w-0 ${foldOf(line)}`}>
            <Words line={line} />
          </span>
          {"more" in line && line.more > 0 && (
            <span className="flex-none text-fg-3">{t("more", { count: line.more })}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The cause of a failure is the loudest text of the page. */
const CAUSE =
  "-mx-3 my-1 first:-mt-2 flex min-w-0 gap-2 border-st-failed border-l-3 bg-st-failed-bg py-2 pr-3 pl-2.25 text-14 leading-[var(--lh-body)] text-fg last:-mb-2.25";

function foldOf({ kind }: NowLine): string {
  if (kind === "failed") return "line-clamp-4 wrap-anywhere";
  return WRAPS.has(kind) ? "" : "truncate";
}

function lookOf(line: NowLine): Status {
  if (line.kind === "unanswered" && line.decision === "denied") return "refused";
  return line.kind === "done" && line.done === 0 ? "planned" : STATUS[line.kind];
}

/** To what was not read of the spans, and what to do. */
function unreadLink(words: ReactNode) {
  return (
    <Link href="/connect?tab=otel#unread" className="text-accent underline underline-offset-2">
      {words}
    </Link>
  );
}

function Words({ line }: { line: NowLine }) {
  const t = useTranslations("thread.now");
  const told = useReasonText();
  const decides = useHasPermission("decide");
  const strong = { b: (words: ReactNode) => <b className="font-semibold text-fg">{words}</b> };
  const loud = { b: (words: ReactNode) => <b className="font-semibold text-st-failed">{words}</b> };
  switch (line.kind) {
    case "escalated":
      return line.text === null ? t.rich("escalated", strong) : t.rich("escalatedWith", { ...strong, text: line.text });
    case "takenOver":
      return line.by === null ? t.rich("takenOver", strong) : t.rich("takenOverBy", { ...strong, who: line.by });
    case "waits":
      return t.rich(decides ? "waits" : "waitsForOthers", { ...strong, what: line.what });
    case "unanswered":
      return t.rich(line.decision === "approved" ? "unansweredApproved" : "unansweredDenied", {
        ...strong,
        what: line.what,
      });
    case "running":
      if (line.what === "") return t("thinking");
      return line.progress ? t("runningOf", { what: line.what, ...line.progress }) : t("running", { what: line.what });
    case "queued":
      return t("queued", { count: line.count });
    case "replanned":
      return line.reason === null
        ? t.rich("replanned", { ...strong, what: line.what })
        : t.rich("replannedFor", { ...strong, what: line.what, reason: told(line.reason) });
    case "failed": {
      const { what } = line;
      const reason = line.reason === null ? null : told(line.reason);
      if (what === "") return reason === null ? t("runFailed") : t.rich("runFailedWith", { ...loud, reason });
      return reason === null ? t.rich("failed", { ...loud, what }) : t.rich("failedWith", { ...loud, what, reason });
    }
    case "denied":
      return line.reason === null
        ? t.rich("denied", { ...strong, what: line.what })
        : t.rich("deniedFor", { ...strong, what: line.what, reason: told(line.reason) });
    case "cancelled": {
      if (line.reason === null) return t("cancelled");
      const known = knownReason(line.reason);
      return known?.name === "cancelledBy"
        ? t("cancelledBy", { who: String(known.values.who) })
        : t("cancelledWith", { reason: told(line.reason) });
    }
    case "shadow":
      return t("shadow");
    case "simulated":
      return (
        <>
          {t.rich("simulated", { ...strong, done: line.done, total: line.total })}
          {line.planned > 0 && t("onlyPlanned", { count: line.planned })}
        </>
      );
    case "done":
      return (
        <>
          {t("done", { done: line.done, total: line.total })}
          {line.retried > 0 && t("retried", { count: line.retried })}
          {line.skipped > 0 && t("skipped", { count: line.skipped })}
        </>
      );
    case "answered":
      return t("answered");
    case "unread":
      return t.rich("unread", { link: unreadLink });
    case "noAnswer":
    case "notRun":
    case "nothing":
      return t(line.kind);
    default:
      return line satisfies never;
  }
}
