"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { isSending } from "@/components/keys/sends.ts";
import { DecisionForm, GROWING, Labelled } from "./form.tsx";
import type { Decide } from "./use-decide.ts";

/** A no, with the reason that the agent reads. */
export function DenyForm({ decide, onBack }: { decide: Decide; onBack: () => void }) {
  const t = useTranslations("decision");
  const [reason, setReason] = useState("");
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
