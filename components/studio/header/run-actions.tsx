"use client";

import { useTranslations } from "next-intl";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { AskOnce } from "@/components/ui/ask-once.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { planKey } from "@/lib/session/keys.ts";
import type { Run, Session } from "@/lib/session/session.ts";
import { useResolvedSelection } from "../../selection/use-resolved-selection.ts";
import { useStudio } from "../use-studio.ts";
import { useOwnRun } from "./use-own-run.ts";
import { useRunAction } from "./use-run-action.ts";

/** Actions for a run of this server: cancel, or resume (P24). */
export function RunActions() {
  const session = useStudio((state) => state.session);
  const { run } = useResolvedSelection();
  const own = useOwnRun(run);
  if (!run || !own) return null;
  if (run.status !== "failed")
    return (
      <RequirePermission permission="operate">
        <Cancel run={run} />
      </RequirePermission>
    );
  // An invalid plan would fail again.
  const rejected = session.plans.get(planKey(run.id, run.iteration))?.rejected;
  if (rejected) return null;
  return (
    <RequirePermission permission="operate">
      <Resume run={run} tools={unfinishedTools(session, run)} />
    </RequirePermission>
  );
}

function Cancel({ run }: { run: Run }) {
  const t = useTranslations("studio.run");
  const action = useRunAction();
  return (
    <AskOnce
      trigger={
        <>
          <Icon name="cancelled" />
          <span className="narrow:hidden">{t("cancel")}</span>
        </>
      }
      label={t("cancelLabel")}
      confirm={t("cancelLabel")}
      keep={t("keep")}
      danger
      busy={action.isPending}
      onConfirm={(close) => action.mutate({ kind: "cancel", run: run.id }, { onSuccess: close })}
    >
      <p>{t("cancelWhat")}</p>
      <Refusal error={action.error} />
    </AskOnce>
  );
}

function Resume({ run, tools }: { run: Run; tools: readonly string[] }) {
  const t = useTranslations("studio.run");
  const action = useRunAction();
  return (
    <AskOnce
      trigger={
        <>
          <Icon name="retry" />
          <span className="narrow:hidden">{t("resume")}</span>
        </>
      }
      label={t("resumeLabel")}
      confirm={t("resumeLabel")}
      keep={t("leave")}
      busy={action.isPending}
      onConfirm={(close) => action.mutate({ kind: "resume", run: run.id }, { onSuccess: close })}
    >
      <p>{tools.length > 0 ? t("resumeWhat") : t("resumePlain")}</p>
      {tools.length > 0 && <p className="font-medium wrap-anywhere">{tools.join(", ")}</p>}
      <Refusal error={action.error} />
    </AskOnce>
  );
}

/** The tools of calls that would run again: failed and cancelled ones. */
function unfinishedTools(session: Session, run: Run): string[] {
  const tools = new Set<string>();
  for (const { run_id, iteration, status, handled, tool } of session.calls.values()) {
    const isUnfinished = (status === "failed" && !handled) || status === "cancelled";
    if (run_id === run.id && iteration === run.iteration && isUnfinished) tools.add(tool);
  }
  return [...tools];
}
