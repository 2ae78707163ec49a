"use client";

import { useTranslations } from "next-intl";
import { isSubmitKey } from "@/components/keys/submit-key.ts";
import { DecisionForm, GROWING, Labelled } from "./form.tsx";
import type { Decidable } from "./pending.ts";
import type { Decide } from "./use-decide.ts";
import { type RequestInput, useRequestInput } from "./use-request-input.ts";

interface DenyFormProps {
  confirmation: Decidable;
  decide: Decide;
  onBack: () => void;
}

/** Suggested reasons, shared by the studio and the Approvals page. */
export const REASONS: RequestInput<string> = new Map();

/** Denies with a reason, which the agent reads. */
export function DenyForm({ confirmation, decide, onBack }: DenyFormProps) {
  const t = useTranslations("decision");
  const [reason, setReason] = useRequestInput(REASONS, confirmation, () => "");
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
            if (!isSubmitKey(event)) return;
            event.preventDefault();
            submit();
          }}
          className={GROWING}
        />
      </Labelled>
    </DecisionForm>
  );
}
