"use client";

import { useTranslations } from "next-intl";
import { isSending } from "@/components/keys/sends.ts";
import { DecisionForm, GROWING, Labelled } from "./form.tsx";
import type { Decidable } from "./pending.ts";
import type { Decide } from "./use-decide.ts";
import { type Typed, useTyped } from "./use-typed.ts";

interface DenyFormProps {
  confirmation: Decidable;
  decide: Decide;
  onBack: () => void;
}

/** Suggested reasons, shared by the studio and the Approvals page. */
export const REASONS: Typed<string> = new Map();

/** Denies with a reason, which the agent reads. */
export function DenyForm({ confirmation, decide, onBack }: DenyFormProps) {
  const t = useTranslations("decision");
  const [reason, setReason] = useTyped(REASONS, confirmation, () => "");
  const submit = () => {
    const told = reason.trim();
    decide.submit({ decision: "deny", ...(told === "" ? {} : { reason: told }) });
  };
  return (
    <DecisionForm decide={decide} submit={t("deny")} danger onSubmit={submit} onBack={onBack}>
      <Labelled label={t("reason")}>
        <textarea
          // biome-ignore lint/a11y/noAutofocus: it stands where its button was pressed
          autoFocus
          value={reason}
          enterKeyHint="send"
          onChange={(event) => setReason(event.target.value)}
          // Enter submits, as in a single-line field.
          onKeyDown={(event) => {
            if (!isSending(event)) return;
            event.preventDefault();
            submit();
          }}
          className={GROWING}
        />
      </Labelled>
    </DecisionForm>
  );
}
