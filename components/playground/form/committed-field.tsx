"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, useId, useState } from "react";
import { FIELD, GROWING } from "@/components/decision/form.tsx";

/** Why a typed text is not taken. */
export type Refused = "number" | "inexact" | "json" | "path" | "id" | "taken";

interface CommittedFieldProps {
  label: string;
  /** The text; a change from outside replaces what is typed. */
  value: string;
  lines?: boolean;
  mono?: boolean;
  isRequired?: boolean;
  inputMode?: "decimal";
  /** The ids of what describes it. */
  describedBy?: string | undefined;
  isInvalid?: boolean;
  placeholder?: string;
  /** Takes the text when the field is left or with Enter; returns why it cannot. */
  onCommit: (text: string) => Refused | null;
}

/** A text field that reports its text when it is left, or with Enter (Shift+Enter is a new line); Escape restores it. */
export function CommittedField(props: CommittedFieldProps) {
  const { label, value, lines = false, mono = false, isRequired, inputMode, describedBy, placeholder } = props;
  const t = useTranslations("playground.form.refused");
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const [refused, setRefused] = useState<Refused | null>(null);
  if (seen !== value) {
    setSeen(value);
    setTyped(value);
    setRefused(null);
  }
  const commit = () => {
    if (typed !== value) setRefused(props.onCommit(typed));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && typed !== value) {
      event.stopPropagation();
      setTyped(value);
      setRefused(null);
    }
    if (event.key === "Enter" && !(lines && event.shiftKey)) {
      event.preventDefault();
      commit();
    }
  };
  const field = {
    "aria-label": label,
    "aria-required": isRequired,
    "aria-invalid": refused !== null || props.isInvalid || undefined,
    "aria-describedby": [refused === null ? null : id, describedBy].filter(Boolean).join(" ") || undefined,
    // The form's undo takes over when nothing is typed.
    "data-typed": typed !== value || undefined,
    autoComplete: "off",
    spellCheck: false,
    placeholder,
    value: typed,
    onKeyDown,
    onBlur: commit,
  };
  return (
    <>
      {lines ? (
        <textarea
          {...field}
          rows={1}
          onChange={({ target }) => setTyped(target.value)}
          className={`${GROWING} min-h-7! ${mono ? "font-mono text-11" : ""}`}
        />
      ) : (
        <input
          {...field}
          inputMode={inputMode}
          onChange={({ target }) => setTyped(target.value)}
          className={`${FIELD} ${mono ? "font-mono text-11" : ""}`}
        />
      )}
      {refused && (
        <p id={id} role="alert" className="mt-0.5 text-11 text-st-failed">
          {t(refused)}
        </p>
      )}
    </>
  );
}
