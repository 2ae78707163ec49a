"use client";

import { useTranslations } from "next-intl";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { handBack, isOpen, undo } from "@/components/decision/pending.ts";
import { usePendingHandBack } from "@/components/decision/use-pending.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";

interface HandBackProps {
  conversationId: string;
  /** The conversation's title. */
  name: string;
  /** There is no takeover: only its alerts are closed. */
  alertsOnly?: boolean;
  /** Called after the handback, when the button with the focus is gone. */
  onBack: () => void;
}

/** Hands a conversation back to its agent, or closes its alerts (D11); it can be undone for a moment. */
export function HandBack({ conversationId, name, alertsOnly = false, onBack }: HandBackProps) {
  const t = useTranslations("thread.takeover");
  const words = useTranslations("decision.pending");
  const known = usePendingHandBack(conversationId);
  const pending = known && isOpen(known) ? known : null;
  const onDone = () => hasFocusGone() && onBack();
  if (pending)
    return (
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="text-fg-2">{words(pending.conversation.alertsOnly ? "closing" : "handingBack")}</span>
        {pending.state.name === "waiting" && <Button onClick={() => undo(pending.id)}>{words("undo")}</Button>}
      </span>
    );
  return (
    <RequirePermission permission="operate">
      <Button
        variant="ghost"
        aria-label={alertsOnly ? undefined : t("handBackLabel")}
        title={t(alertsOnly ? "nothingLabel" : "handBackLabel")}
        data-command={alertsOnly ? undefined : ""}
        onClick={() => handBack({ id: conversationId, name, alertsOnly, onDone })}
      >
        <Icon name={alertsOnly ? "check" : "manager"} size={14} />
        {t(alertsOnly ? "nothing" : "handBack")}
      </Button>
    </RequirePermission>
  );
}

/** Whether nothing has the focus, so that it may be moved. */
function hasFocusGone(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.closest(".pending-bar") !== null;
}
