"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { flushSync } from "react-dom";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { REASONS } from "@/components/decision/deny-form.tsx";
import { useHasApproved } from "@/components/decision/partly-approved.tsx";
import { useRequestInput } from "@/components/decision/use-request-input.ts";
import { printedKey } from "@/components/keys/shortcuts.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import type { Form } from "./detail.tsx";

/** Ids of the controls, for keyboard shortcuts. */
export const APPROVE_ID = "approval-approve";
export const DENY_ID = "approval-deny";
const REASON_ID = "approval-reason";

interface ActionBarProps {
  item: ListedConfirmation;
  /** The approval was just selected automatically. */
  busy: boolean;
  /** With the text of the reason field, if any. */
  onDecide: (decision: "approve" | "deny", reason: string) => void;
  onForm: (form: Form) => void;
  onBack: () => void;
}

/**
 * The decision buttons with their shortcuts. Denying starts with the reason: its field is beside the buttons, or
 * replaces them on a narrow screen.
 */
export function ActionBar({ item, busy, onDecide, onForm, onBack }: ActionBarProps) {
  const t = useTranslations("approvals");
  const words = useTranslations("decision");
  const [reason, setReason] = useRequestInput(REASONS, item, () => "");
  const [denying, setDenying] = useState(false);
  const interrupted = item.cause === "interrupted";
  const hasApproved = useHasApproved(item);
  const approve = (
    <Button
      key="approve"
      id={APPROVE_ID}
      // Running a call again may repeat its effect, so it is not the primary action.
      variant={interrupted ? "plain" : "primary"}
      disabled={busy || hasApproved}
      aria-keyshortcuts={printedKey("approve")}
      onClick={() => onDecide("approve", reason.trim())}
      className="action-approve"
    >
      {hasApproved ? words("youApproved") : interrupted ? words("runAgain") : words("approve")}
      <Kbd className={interrupted ? "" : "border-current! bg-transparent! text-inherit!"}>{printedKey("approve")}</Kbd>
    </Button>
  );
  return (
    <section aria-label={t("decision")} className="action-bar" data-denying={denying || undefined}>
      <RequirePermission permission="decide" otherwise="words">
        <div className="action-buttons">
          {!interrupted && approve}
          {/* What several people have to approve stays as it was requested. */}
          {(interrupted || !item.approvals) && (
            <Button
              disabled={busy}
              aria-keyshortcuts={printedKey("edit")}
              onClick={() => onForm(interrupted ? "result" : "edit")}
              className="action-edit"
            >
              <Icon name="pencil" size={14} />
              {interrupted ? (
                t("record")
              ) : (
                <>
                  <span className="max-md:hidden">{t("editAndApprove")}</span>
                  <span className="md:hidden">{words("edit")}</span>
                </>
              )}
              <Kbd>{printedKey("edit")}</Kbd>
            </Button>
          )}
          {interrupted && approve}
          <span aria-hidden className="mx-1 h-5.5 w-px bg-line-strong narrow:hidden" />
          <button
            type="button"
            id={DENY_ID}
            disabled={busy}
            onClick={() => {
              // The next key belongs to the reason, even before the next frame; the field is hidden on a narrow screen.
              flushSync(() => setDenying(true));
              document.getElementById(REASON_ID)?.focus();
            }}
            className="action-deny"
          >
            <Icon name="denied" size={14} />
            {words("deny")}
          </button>
          <form
            className="action-reason"
            onSubmit={(event) => {
              event.preventDefault();
              if (!busy) onDecide("deny", reason.trim());
            }}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              event.stopPropagation();
              setDenying(false);
              onBack();
            }}
          >
            <input
              id={REASON_ID}
              value={reason}
              maxLength={10_000}
              autoComplete="off"
              aria-label={words("reason")}
              placeholder={words("reason")}
              onChange={(event) => setReason(event.target.value)}
              className="min-w-0 flex-1 rounded-2 border border-line-control bg-surface px-2.5"
            />
            <Button onClick={() => setDenying(false)} className="action-back">
              {words("back")}
            </Button>
            <Button type="submit" variant="danger" disabled={busy} aria-keyshortcuts={printedKey("deny")}>
              <Icon name="denied" size={14} />
              {words("deny")}
              <Kbd>{printedKey("deny")}</Kbd>
            </Button>
          </form>
        </div>
      </RequirePermission>
    </section>
  );
}
