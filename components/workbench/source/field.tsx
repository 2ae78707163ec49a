"use client";

import type { ComponentProps } from "react";

interface FieldProps extends Omit<ComponentProps<"input">, "onChange"> {
  label: string;
  value: string;
  /** The id of its error; null for none. */
  invalid: string | null;
  onChange: (value: string) => void;
}

/** A text field with a label. */
export function Field({ label, invalid, onChange, ...rest }: FieldProps) {
  return (
    <label className="block">
      <span className="mb-1 block truncate text-11 text-fg-3">{label}</span>
      <input
        aria-invalid={invalid !== null || undefined}
        aria-describedby={invalid ?? undefined}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        className="block h-[var(--control)] w-full min-w-0 rounded-2 border border-line-control bg-surface px-2 text-fg tabular-nums aria-invalid:border-st-failed"
        {...rest}
      />
    </label>
  );
}
