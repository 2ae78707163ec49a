"use client";

import { useTranslations } from "next-intl";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { AskOnce } from "@/components/ui/ask-once.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { SuiteRun } from "@/lib/api/shapes.ts";
import { useAgentVersions, usePromote } from "./queries.ts";

/** Makes the version of a run the agent's, or takes that back. */
export function Promotion({ run }: { run: SuiteRun }) {
  const t = useTranslations("suites.promote");
  const agent = run.agent_id;
  const { data: versions } = useAgentVersions(agent);
  const promote = usePromote(agent);
  if (!versions) return null;
  const names = { agent };
  if (versions.current !== run.version)
    return (
      <RequirePermission permission="admin">
        <AskOnce
          trigger={
            <>
              <Icon name="up" size={14} />
              {t("it")}
            </>
          }
          label={t("title")}
          confirm={t("it")}
          keep={t("keep")}
          busy={promote.isPending}
          onConfirm={(close) => promote.mutate({ version: run.version, run_id: run.id }, { onSuccess: close })}
        >
          <p>{t("text", names)}</p>
          <Refusal error={promote.error} />
        </AskOnce>
      </RequirePermission>
    );
  const [last] = versions.items;
  return (
    <span className="inline-flex items-center gap-1.5 text-fg-2" role="status">
      <Icon name="succeeded" size={14} className="text-st-succeeded" />
      {t("current", names)}
      {last?.version === run.version && (
        <RequirePermission permission="admin">
          <AskOnce
            trigger={t("before")}
            label={t("back")}
            confirm={t("back_it")}
            keep={t("keep")}
            busy={promote.isPending}
            onConfirm={(close) => promote.mutate({ version: last.before, run_id: null }, { onSuccess: close })}
          >
            <p>{t("back_text", names)}</p>
            <Refusal error={promote.error} />
          </AskOnce>
        </RequirePermission>
      )}
    </span>
  );
}
