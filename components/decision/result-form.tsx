"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DecisionForm, GROWING, Labelled } from "./form.tsx";
import { faultIn, parseJson } from "./param-fields.ts";
import type { Decidable } from "./pending.ts";
import type { Decide } from "./use-decide.ts";
import { type RequestInput, useRequestInput } from "./use-request-input.ts";

interface ResultFormProps {
  confirmation: Decidable;
  decide: Decide;
  onBack: () => void;
}

const results: RequestInput<string> = new Map();

/** A form for the result of an interrupted call, which is recorded without running it (P23). */
export function ResultForm({ confirmation, decide, onBack }: ResultFormProps) {
  const t = useTranslations("decision");
  const [text, setText] = useRequestInput(results, confirmation, () => "");
  const [refused, setRefused] = useState(false);
  const submit = () => {
    const result = parseJson(text);
    setRefused(result === undefined);
    if (result !== undefined) decide.submit({ decision: "approve", result });
  };
  return (
    <DecisionForm decide={decide} submit={t("record")} onSubmit={submit} onBack={onBack}>
      <Labelled label={t("resultLabel")} fault={refused ? t(`fault.${faultIn(text) ?? "json"}`) : undefined}>
        <textarea
          // biome-ignore lint/a11y/noAutofocus: it stands where its button was pressed
          autoFocus
          spellCheck={false}
          value={text}
          aria-invalid={refused || undefined}
          placeholder='{ "id": 7 }'
          onChange={(event) => setText(event.target.value)}
          className={`${GROWING} font-mono text-11`}
        />
      </Labelled>
      <p className="text-11 text-pretty text-fg-3">{t("resultHint")}</p>
    </DecisionForm>
  );
}
