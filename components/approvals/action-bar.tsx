"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Needs } from "@/components/access/needs.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import type { ListedConfirmation } from "@/db/repositories.ts";
import type { Form } from "./detail.tsx";

/** The controls that keys lead to, by their ids. */
export const REASON_ID = "approval-reason";
export const APPROVE_ID = "approval-approve";

interface ActionBarProps {
  item: ListedConfirmation;
  /** A decision is on its way, or the item has only just come up. */
  busy: boolean;
  sending: boolean;
  /** Why the last try did not reach the server. */
  error: Error | null;
  /** Why the server did not do it, in its own sentence. */
  refused: string | null;
  /** With what stands in the field for reasons, if anything. */
  onApprove: (reason: string) => void;
  onDeny: (reason: string) => void;
  onForm: (form: Form) => void;
  onBack: () => void;
}

/** What a person can do about the one that is looked at, each with its key. */
export function ActionBar(props: ActionBarProps) {
  const { item, busy, sending, error, refused, onApprove, onDeny, onForm, onBack } = props;
  const t = useTranslations("approvals");
  const words = useTranslations("decision");
  const [reason, setReason] = useState("");
  const interrupted = item.cause === "interrupted";
  const approve = (
    <Button
      key="approve"
      id={APPROVE_ID}
      // Running again what may have happened already is no choice to lead anyone to.
      variant={interrupted ? "plain" : "primary"}
      disabled={busy}
      aria-keyshortcuts="A"
      onClick={() => onApprove(reason.trim())}
      className="h-8! px-3!"
    >
      {interrupted ? words("runAgain") : words("approve")}
      <Kbd className={interrupted ? "" : "border-current! bg-transparent! text-inherit!"}>A</Kbd>
    </Button>
  );
  return (
    <section aria-label={t("decision")} className="action-bar">
      <Needs permission="decide" otherwise="words">
        <Refusal error={error} />
        {refused && (
          <p role="alert" className="text-st-failed wrap-anywhere">
            {refused}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2">
          {!interrupted && approve}
          <Button
            disabled={busy}
            aria-keyshortcuts={interrupted ? "R" : "E"}
            onClick={() => onForm(interrupted ? "result" : "edit")}
            className="h-8! px-3!"
          >
            <Icon name="pencil" size={14} />
            {interrupted ? t("record") : t("editAndApprove")}
            <Kbd>{interrupted ? "R" : "E"}</Kbd>
          </Button>
          {interrupted && approve}
          <span aria-hidden className="mx-1 h-5.5 w-px bg-line-strong narrow:hidden" />
          <form
            className="flex min-w-70 flex-1 items-center gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              if (!busy) onDeny(reason.trim());
            }}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              event.stopPropagation();
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
              className="h-8 min-w-0 flex-1 rounded-2 border border-line-control bg-surface px-2.5"
            />
            <Button type="submit" variant="danger" disabled={busy} aria-keyshortcuts="D" className="h-8! px-3!">
              <Icon name="denied" size={14} />
              {words("deny")}
              <Kbd>D</Kbd>
            </Button>
          </form>
        </div>
      </Needs>
      <span role="status" className="sr-only">
        {sending ? words("sending") : ""}
      </span>
    </section>
  );
}
