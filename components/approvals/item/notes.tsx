"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useAgents } from "@/components/agents/use-agents.ts";
import { PartlyApproved } from "@/components/decision/partly-approved.tsx";
import { useNow } from "@/components/list/now.tsx";
import { Icon, type IconName } from "@/components/ui/icon.tsx";
import { STATUS, STATUS_GROUND, STATUS_INK } from "@/components/ui/status.ts";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { isOverdue } from "../waited.ts";
import { lookOf, Reason, useVerdict } from "./verdict.tsx";

/** Notices above the details: the decision, or that the approval is overdue or its call was interrupted. */
export function Notes({ item, late }: { item: ListedConfirmation; late: boolean }) {
  const t = useTranslations("approvals");
  const now = useNow();
  const verdict = useVerdict();
  const agent = useAgents().data?.find(({ id }) => id === item.agent_id);
  const { token, icon } = STATUS[lookOf(item)];
  return (
    <>
      <div role="status">
        {item.status !== "requested" && (
          <Note icon={icon} look={`${STATUS_GROUND[token]} ${STATUS_INK[token]}`}>
            <p className="font-medium">{verdict(item)}</p>
            <p className="text-fg not-empty:mt-0.5">
              <Reason item={item} />
            </p>
            {item.unanswered && <p className="mt-0.5 text-fg-2">{t("unanswered")}</p>}
            {late && <p className="mt-0.5 text-fg-2">{t("late")}</p>}
          </Note>
        )}
      </div>
      {item.status === "requested" && item.approvals && (
        <Note icon="waiting" look="bg-st-waiting-bg text-st-waiting">
          <p className="text-fg">
            <PartlyApproved approvals={item.approvals} />
          </p>
        </Note>
      )}
      {item.status === "requested" && item.cause === "interrupted" && (
        <Note icon="warn" look="bg-st-waiting-bg text-st-waiting">
          <p className="text-fg">{t("whyInterrupted")}</p>
        </Note>
      )}
      {item.status === "requested" && agent?.mode === "shadow" && (
        <Note icon="warn" look="bg-st-waiting-bg text-st-waiting">
          <p className="text-fg">{t("whyShadow", { agent: agent.id })}</p>
        </Note>
      )}
      {isOverdue(item, now) && (
        <Note icon="clock" look="bg-st-failed-bg text-st-failed">
          <p className="text-fg">{t("whyOverdue")}</p>
        </Note>
      )}
    </>
  );
}

function Note({ icon, look, children }: { icon: IconName; look: string; children: ReactNode }) {
  return (
    <div className={`mt-3 flex items-start gap-2 rounded-2 px-3 py-2 text-13 leading-[var(--lh-body)] ${look}`}>
      <Icon name={icon} className="mt-0.5" />
      <div className="min-w-0 max-w-[70ch] text-pretty wrap-anywhere">{children}</div>
    </div>
  );
}
