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

/** Why requests are denied; the studio and the page of approvals share it. */
export const REASONS: Typed<string> = new Map();

/** A no, with the reason that the agent reads. */
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
          // As where it has one line: Enter denies.
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
